/** Line icons on a 24 × 24 grid, identical on every device. */
const paths = {
  today:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  requests: 'M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5',
  waiting: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  calendar: 'M4 6h16v14H4zM4 11h16M8 3v5M16 3v5M8 15h2M14 15h2',
  customers: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21a8 8 0 0 1 16 0',
  offers: 'M3 4h8l10 10-7 7L3 11zM7.5 8.5h.01',
  channels:
    'M6 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM18 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM18 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8.6 10.6l6.8-3.2M8.6 13.4l6.8 3.2',
  mails: 'M3 6h18v13H3zM3 7l9 7 9-7',
  reports: 'M4 3v18h17M9 17v-6M14 17V7M19 17v-3',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2 20a7 7 0 0 1 14 0M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14a7 7 0 0 1 4 6',
  integration: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  audit: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  operator:
    'M4 7h9M19 7h1M16 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM4 17h1M11 17h9M8 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0zM11 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0zM18 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0z',
}

export type IconName = keyof typeof paths

/** Always beside a text, so it is hidden from screen readers. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
