/** Focuses this Appointment in the calendar if it is drawn. */
export const focusAppointment = (uuid: string) =>
  document.querySelector<HTMLElement>(`.calendar [data-uuid="${CSS.escape(uuid)}"]`)?.focus()
