/** For searching: 'São Paulo' is found by 'sao paulo', and 'America/New_York' by 'new york'. */
export const plain = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('_', ' ').toLowerCase().trim()
