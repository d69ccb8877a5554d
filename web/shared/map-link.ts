/** Opens the map app on phones. Nothing is loaded from there until it is followed. */
export const mapLink = (address: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`
