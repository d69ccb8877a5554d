import type { Texts } from './shape.ts'

export const en: Texts = {
  locale: 'en-GB',
  time: clock => clock,
  timeRange: (from, to) => `${from} – ${to}`,
  colon: ':',
  greeting: name => (name ? `Hello ${name},` : 'Hello,'),
  closing: 'Kind regards',
  unnamed: 'Someone who left no name',
  verification: {
    subject: 'Please confirm your email address',
    lead: 'Please confirm that this email address belongs to you.',
    button: 'Confirm email address',
    ignore:
      'Was it not you who entered this address? Then there is nothing to do and you can delete this email.',
  },
  login: {
    subject: 'Your login link',
    lead: 'This link opens the console. It works once and for 15 minutes.',
    button: 'Log in',
    ignore: 'Did you not ask for it? Then you can delete this email: without the link nobody gets in.',
  },
  invitation: {
    subject: 'Your access to the console',
    lead: place =>
      place
        ? `You can now look after the appointments of ${place} in the console.`
        : 'You can now log in to the console.',
    button: 'Open the console',
    later: 'This link works once and for 24 hours. After that, ask for a new one on the login page.',
  },
  webhookOff: {
    subject: crm => `Webhook switched off: ${crm}`,
    gone: 'The receiver answered that this webhook is no longer wanted (410). It was switched off.',
    failing: 'The receiver has not accepted a single event for five days. The webhook was switched off.',
    goOn: 'Nothing is lost yet: once the receiver works, switch the webhook on again and it goes on from where it stopped.',
    address: 'Address',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Appointment confirmed: ${when} – ${what}`,
      heading: 'Your appointment is confirmed',
      lead: ({ provider }) => `Your appointment with ${provider} is booked.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `New booking: ${when} – ${what}, ${consumer}`,
      heading: 'New booking',
      lead: ({ consumer }) => `${consumer} has booked an appointment.`,
    },
    requested: {
      subject: ({ when, what }) => `Appointment request received: ${when} – ${what}`,
      heading: 'We have received your request',
      lead: ({ provider }) =>
        `Thank you for your request. ${provider} will look at it and let you know by email. ` +
        'The appointment is only definite once it has been confirmed.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Appointment request, please answer: ${when} – ${what}, ${consumer}`,
      heading: 'New appointment request',
      lead: ({ consumer }) => `${consumer} would like an appointment and is waiting for your answer.`,
    },
    declined: {
      subject: ({ when, what }) => `Appointment request not confirmed: ${when} – ${what}`,
      heading: 'Your request was not confirmed',
      lead: ({ provider }) =>
        `The appointment you requested with ${provider} will not go ahead. The time is no longer held for you.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Appointment cancelled: ${when} – ${what}`,
      heading: 'Your appointment is cancelled',
      lead: ({ provider }) =>
        `Your appointment with ${provider} has been cancelled. There is nothing else you need to do.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Cancellation: ${when} – ${what}, ${consumer}`,
      heading: 'An appointment was cancelled',
      lead: ({ consumer }) => `${consumer} has cancelled the following appointment.`,
    },
    moved: {
      subject: ({ when, what }) => `Appointment moved: ${when} – ${what}`,
      heading: 'Your appointment has moved',
      lead: ({ provider }) => `Your appointment with ${provider} has a new time.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Appointment moved: ${when} – ${what}, ${consumer}`,
      heading: 'An appointment was moved',
      lead: ({ consumer }) => `${consumer} has moved the following appointment.`,
    },
    reminder: {
      subject: ({ when, what }) => `Reminder of your appointment: ${when} – ${what}`,
      heading: 'Your appointment is coming up',
      lead: ({ provider }) => `This is a reminder of your appointment with ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Request withdrawn: ${when} – ${what}`,
    heading: 'Your request is withdrawn',
    lead: ({ provider }) =>
      `You have withdrawn your request to ${provider}. The time is no longer held for you.`,
  },
  kept: {
    until: 'Until then your present appointment stays as it is.',
    still: 'Your present appointment stays as it is.',
  },
  labels: {
    when: 'When',
    zone: 'Time zone',
    previous: 'Until now',
    kept: 'Still booked',
    appointment: 'Appointment',
    place: 'Where',
    contact: 'Contact',
    name: 'Name',
    email: 'Email',
    mobile: 'Mobile',
    hints: 'Please note',
    messageFrom: name => `Message from ${name}`,
    reason: 'Reason for the cancellation',
    details: 'Your details',
  },
  channels: {
    mobile: 'Mobile',
    phone: 'Phone',
    email: 'Email',
    video: 'Video',
    messenger: 'Messenger',
    link: 'Link',
    location: 'Location',
  },
  buttons: {
    details: 'Check details',
    move: 'Move appointment',
    cancel: 'Cancel appointment',
    withdraw: 'Withdraw request',
    accept: 'Accept',
    decline: 'Decline',
  },
  hints: {
    details:
      'This booking added a name or a number to your account. Nobody else sees it until you have confirmed that it is right.',
    change: 'Something came up? Please move or cancel the appointment in good time.',
    until: when => `You can do so online until ${when}.`,
    withdraw: 'No longer need the appointment? Please withdraw your request.',
    answer: 'Either button takes you to a page where you confirm your decision.',
  },
  linkHelp: 'To copy into your browser',
  why: {
    consumer:
      'You are receiving this email because an appointment was booked or requested with this address.',
    provider: provider => `You are receiving this email as the contact for ${provider}.`,
    user: 'You are receiving this email because this address was given for an account.',
  },
}
