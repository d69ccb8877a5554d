import type { Texts } from './shape.ts'

export const es: Texts = {
  locale: 'es-ES',
  time: clock => clock,
  timeRange: (from, to) => `${from} – ${to}`,
  colon: ':',
  greeting: name => (name ? `Hola, ${name}:` : 'Hola:'),
  closing: 'Un cordial saludo',
  unnamedCustomer: 'Una persona que no ha indicado su nombre',
  verification: {
    subject: 'Confirme su dirección de correo electrónico',
    lead: 'Le rogamos que confirme que esta dirección de correo es suya.',
    button: 'Confirmar la dirección',
    ignore:
      '¿No ha indicado usted esta dirección? Entonces no tiene que hacer nada y puede borrar este correo.',
  },
  login: {
    subject: 'Su enlace de acceso',
    lead: 'Este enlace abre la consola. Funciona una sola vez y durante 15 minutos.',
    button: 'Entrar',
    ignore: '¿No lo ha pedido usted? Entonces puede borrar este correo: sin el enlace no entra nadie.',
  },
  factorReset: {
    subject: 'Se ha restablecido su segundo factor',
    lead: 'Se ha eliminado el segundo factor de su cuenta. Ahora inicia sesión sin código. Configure uno nuevo en la consola.',
    button: 'Abrir la consola',
    ignore: '¿No lo ha solicitado? Póngase en contacto de inmediato con el operador de este servicio.',
  },
  invitation: {
    subject: 'Su acceso a la consola',
    lead: place =>
      place ? `Ya puede gestionar en la consola las citas de ${place}.` : 'Ya puede entrar en la consola.',
    button: 'Abrir la consola',
    validity:
      'El enlace funciona una sola vez y durante 24 horas. Después, pida uno nuevo en la página de acceso.',
  },
  webhookDisabled: {
    subject: crm => `Webhook desactivado: ${crm}`,
    gone: 'El receptor ha respondido que este webhook ya no se desea (410). Se ha desactivado.',
    failing: 'El receptor no ha aceptado ningún evento desde hace cinco días. El webhook se ha desactivado.',
    howToResume:
      'Todavía no se ha perdido nada: en cuanto el receptor funcione, vuelva a activar el webhook y continuará donde se detuvo.',
    address: 'Dirección',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Cita confirmada: ${when} – ${what}`,
      heading: 'Su cita está confirmada',
      lead: ({ provider }) => `Su cita con ${provider} ha quedado reservada.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `Nueva reserva: ${when} – ${what}, ${consumer}`,
      heading: 'Nueva reserva',
      lead: ({ consumer }) => `${consumer} ha reservado una cita.`,
    },
    requested: {
      subject: ({ when, what }) => `Solicitud de cita recibida: ${when} – ${what}`,
      heading: 'Hemos recibido su solicitud',
      lead: ({ provider }) =>
        `Gracias por su solicitud. ${provider} la revisará y le responderá por correo electrónico. ` +
        'La cita solo será definitiva cuando esté confirmada.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Solicitud de cita pendiente de respuesta: ${when} – ${what}, ${consumer}`,
      heading: 'Nueva solicitud de cita',
      lead: ({ consumer }) => `${consumer} solicita una cita y espera su respuesta.`,
    },
    declined: {
      subject: ({ when, what }) => `Solicitud de cita no confirmada: ${when} – ${what}`,
      heading: 'Su solicitud no ha sido confirmada',
      lead: ({ provider }) =>
        `La cita solicitada con ${provider} no tendrá lugar. La hora ya no está reservada para usted.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Cita cancelada: ${when} – ${what}`,
      heading: 'Su cita está cancelada',
      lead: ({ provider }) => `Su cita con ${provider} ha sido cancelada. No tiene que hacer nada más.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Cancelación: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha cancelado una cita',
      lead: ({ consumer }) => `${consumer} ha cancelado la siguiente cita.`,
    },
    moved: {
      subject: ({ when, what }) => `Cita cambiada: ${when} – ${what}`,
      heading: 'Su cita ha cambiado de hora',
      lead: ({ provider }) => `Su cita con ${provider} tiene una nueva hora.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Cita cambiada: ${when} – ${what}, ${consumer}`,
      heading: 'Una cita ha cambiado de hora',
      lead: ({ consumer }) => `${consumer} ha cambiado la hora de la siguiente cita.`,
    },
    reminder: {
      subject: ({ when, what }) => `Recordatorio de su cita: ${when} – ${what}`,
      heading: 'Su cita se acerca',
      lead: ({ provider }) => `Le recordamos su cita con ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Solicitud retirada: ${when} – ${what}`,
    heading: 'Su solicitud está retirada',
    lead: ({ provider }) =>
      `Ha retirado su solicitud de cita (${provider}). La hora ya no está reservada para usted.`,
  },
  currentBooking: {
    until: 'Hasta entonces, su cita actual se mantiene.',
    still: 'Su cita actual se mantiene.',
  },
  labels: {
    when: 'Cuándo',
    zone: 'Zona horaria',
    previous: 'Hasta ahora',
    kept: 'Se mantiene',
    appointment: 'Cita',
    place: 'Lugar',
    contact: 'Contacto',
    name: 'Nombre',
    email: 'Correo',
    mobile: 'Móvil',
    hints: 'Información importante',
    messageFrom: name => `Mensaje de ${name}`,
    reason: 'Motivo de la cancelación',
    details: 'Sus datos',
  },
  channels: {
    mobile: 'Móvil',
    phone: 'Teléfono',
    email: 'Correo',
    video: 'Vídeo',
    messenger: 'Mensajería',
    link: 'Enlace',
    location: 'Lugar',
  },
  buttons: {
    details: 'Comprobar los datos',
    move: 'Cambiar la cita',
    cancel: 'Cancelar la cita',
    withdraw: 'Retirar la solicitud',
    accept: 'Aceptar',
    decline: 'Rechazar',
  },
  hints: {
    details:
      'Esta reserva añadió un nombre o un número a su cuenta. Nadie más los ve hasta que usted los confirme.',
    change: '¿Le ha surgido algo? Cambie o cancele la cita con tiempo.',
    until: when => `Puede hacerlo en línea hasta: ${when}.`,
    withdraw: '¿Ya no necesita la cita? Le rogamos que retire su solicitud.',
    answer: 'Ambos botones abren una página en la que confirma su decisión.',
  },
  linkHelp: 'Para copiar en el navegador',
  reasonForEmail: {
    consumer: 'Recibe este correo porque se ha reservado o solicitado una cita con esta dirección.',
    provider: provider => `Recibe este correo como contacto de ${provider}.`,
    user: 'Recibe este correo porque se ha indicado esta dirección para una cuenta.',
  },
}
