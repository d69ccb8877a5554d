/** Styles of `confirmation.ts`, for the widget and for pages. Both define the variables. */
export const confirmationStyle = `
.badge {
  display: grid;
  place-items: center;
  inline-size: 48px;
  block-size: 48px;
  border-radius: 50%;
  background: var(--fill);
  color: var(--on-fill);
}
.badge svg {
  inline-size: 24px;
  fill: none;
  stroke: currentColor;
  stroke-width: 3;
  stroke-linecap: round;
  stroke-linejoin: round;
}
/* A white brand on a white card. */
.badge.confirmed {
  box-shadow: inset 0 0 0 1px var(--accent);
}
.badge.requested {
  background: var(--wait);
  color: var(--card);
}
.badge.cancelled {
  background: var(--soft);
  color: var(--card);
}
.done .facts {
  gap: 12px;
}
.chosen strong,
.done dd strong {
  font-size: var(--font-head);
  font-weight: 600;
  line-height: 1.25;
}
.facts .line {
  display: block;
}
.calendar .row {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(84px, 100%), 1fr));
  align-items: stretch;
  gap: 8px;
}
.calendar .quiet {
  display: grid;
  place-content: center;
  padding-inline: 4px;
  text-align: center;
}
@media print {
  .badge,
  .facts .map,
  .calendar,
  .links {
    display: none;
  }
}
`
