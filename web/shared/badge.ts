/** The sign of a confirmation, a request and a cancellation, as a path in a box of 24 (lucide). */
export const badgePaths = {
  confirmed: 'M20 6 9 17l-5-5',
  requested: 'M12 6v6l4 2',
  cancelled: 'M18 6 6 18M6 6l12 12',
} as const
