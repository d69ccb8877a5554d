import type { Texts } from './shape.ts'

export const es: Texts = {
  locale: 'es-ES',
  time: clock => clock,
  timeRange: (from, to) => `${from} – ${to}`,
  colon: ':',
  greeting: name => (name ? `Hola, ${name}:` : 'Hola:'),
  closing: 'Un cordial saludo',
  ignore: '¿No ha sido usted? Puede ignorar este correo.',
  unnamedCustomer: 'Una persona que no ha indicado su nombre',
  verification: {
    subject: 'Confirme su dirección de correo electrónico',
    lead: 'Confirme que esta dirección de correo es suya.',
    button: 'Confirmar la dirección',
  },
  login: {
    subject: 'Su enlace de acceso',
    lead: 'Con este enlace inicia sesión en la consola. Funciona una sola vez, durante 15 minutos.',
    button: 'Iniciar sesión',
  },
  factorReset: {
    subject: 'Se ha restablecido su verificación en dos pasos',
    lead: 'Un operador ha desactivado la verificación en dos pasos de su acceso. Ahora puede iniciar sesión sin código. Configúrela de nuevo en «Mi acceso».',
    button: 'Abrir la consola',
    ignore: '¿No lo esperaba? Contacte de inmediato con el operador de este servicio.',
  },
  invitation: {
    subject: 'Su acceso a la consola',
    lead: place =>
      place
        ? `Ya puede gestionar en la consola las citas de ${place}.`
        : 'Ya puede iniciar sesión en la consola.',
    button: 'Abrir la consola',
    validity:
      'El enlace funciona una sola vez, durante 24 horas. Después, pida uno nuevo en la página de inicio de sesión.',
  },
  webhookDisabled: {
    subject: crm => `Webhook desactivado: ${crm}`,
    gone: 'El receptor ya no acepta este webhook (estado 410), así que lo hemos desactivado.',
    failing: 'El receptor no acepta eventos desde hace cinco días, así que hemos desactivado el webhook.',
    howToResume:
      'No se pierde ningún evento. En cuanto el receptor funcione, active de nuevo el webhook y continuará donde se detuvo.',
    address: 'Dirección',
  },
  calendarStale: {
    subject: resource => `No se puede leer el calendario: ${resource}`,
    lead: hours =>
      `No podemos leer este calendario externo desde hace ${hours === 1 ? 'una hora' : `${hours} horas`}.`,
    open: 'Sus clientes pueden seguir reservando. Se aplican las últimas horas ocupadas conocidas.',
    closed: 'Hasta que podamos leerlo de nuevo, sus clientes no pueden reservar.',
    whatToDo: 'Compruebe la dirección y la contraseña en la consola, en Servicios, Calendarios.',
    calendar: 'Calendario',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Cita confirmada: ${when} – ${what}`,
      heading: 'Cita reservada',
      lead: ({ provider }) => `Su cita con ${provider} está confirmada.`,
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
        `Gracias por su solicitud. ${provider} le responderá por correo. ` +
        'La cita no es definitiva hasta que se confirme.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) =>
        `Solicitud de cita, responda por favor: ${when} – ${what}, ${consumer}`,
      heading: 'Nueva solicitud de cita',
      lead: ({ consumer }) => `${consumer} solicita una cita y espera su respuesta.`,
    },
    declined: {
      subject: ({ when, what }) => `Solicitud de cita no confirmada: ${when} – ${what}`,
      heading: 'Su solicitud no se ha confirmado',
      lead: ({ provider }) => `La cita solicitada con ${provider} no tendrá lugar. Hemos liberado la hora.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Cita cancelada: ${when} – ${what}`,
      heading: 'Su cita se ha cancelado',
      lead: ({ provider }) => `Su cita con ${provider} se ha cancelado. No tiene que hacer nada más.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Cancelación: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha cancelado una cita',
      lead: ({ consumer }) => `${consumer} ha cancelado la siguiente cita.`,
    },
    moved: {
      subject: ({ when, what }) => `Cita cambiada: ${when} – ${what}`,
      heading: 'Su cita se ha cambiado',
      lead: ({ provider }) => `Su cita con ${provider} tiene una nueva hora.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Cita cambiada: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha cambiado una cita',
      lead: ({ consumer }) => `${consumer} ha cambiado la hora de la siguiente cita.`,
    },
    changed: {
      subject: ({ when, what }) => `Reserva modificada: ${when} – ${what}`,
      heading: 'Su reserva ha cambiado',
      lead: ({ provider }) => `Su reserva con ${provider} ha cambiado. Estos son los datos actuales.`,
    },
    'change-notice': {
      subject: ({ when, what, consumer }) => `Reserva modificada: ${when} – ${what}, ${consumer}`,
      heading: 'Se ha modificado una reserva',
      lead: ({ consumer }) => `${consumer} ha modificado la siguiente reserva.`,
    },
    message: {
      subject: ({ when, what }) => `Sobre su cita: ${when} – ${what}`,
      heading: 'Un mensaje sobre su cita',
      lead: ({ provider }) => `${provider} le ha enviado un mensaje sobre esta cita.`,
    },
    reminder: {
      subject: ({ when, what }) => `Recordatorio: su cita, ${when} – ${what}`,
      heading: 'Su cita se acerca',
      lead: ({ provider }) => `Le recordamos su cita con ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Solicitud retirada: ${when} – ${what}`,
    heading: 'Su solicitud se ha retirado',
    lead: ({ provider }) => `Ha retirado su solicitud (${provider}). Hemos liberado la hora.`,
  },
  currentBooking: {
    until: 'Hasta entonces, su cita actual no cambia.',
    still: 'Su cita actual no cambia.',
  },
  labels: {
    when: 'Cuándo',
    previous: 'Antes',
    current: 'Ahora',
    kept: 'Se mantiene',
    appointment: 'Cita',
    places: 'Plazas',
    place: 'Lugar',
    joinOnline: 'Conectarse online',
    price: 'Precio',
    contact: 'Contacto',
    name: 'Nombre',
    email: 'Correo',
    mobile: 'Móvil',
    hints: 'Información importante',
    messageFrom: name => `Mensaje de ${name}`,
    reason: 'Motivo de la cancelación',
    details: 'Sus datos',
    answers: 'Falta algo',
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
    calendar: 'Añadir al calendario',
    again: 'Reservar de nuevo',
    answers: 'Responder a las preguntas',
    details: 'Comprobar los datos',
    move: 'Cambiar la cita',
    cancel: 'Cancelar la cita',
    withdraw: 'Retirar la solicitud',
    accept: 'Aceptar',
    decline: 'Rechazar',
    my: 'Todas mis reservas',
  },
  hints: {
    answers: 'Antes de su cita necesitamos algunas respuestas más.',
    details:
      'Esta reserva añadió un nombre o un número a su cuenta. Permanece oculto hasta que usted lo confirme.',
    change: '¿Le ha surgido un imprevisto? Cambie o cancele la cita con tiempo.',
    until: when => `Puede hacerlo online hasta el ${when}.`,
    withdraw: '¿Ya no necesita la cita? Retire su solicitud.',
    keep: '¿Prefiere mantener su cita actual? Retire su solicitud.',
    answer: 'Cada botón abre una página en la que confirma su decisión.',
  },
  reasonForEmail: {
    consumer: 'Recibe este correo porque se ha reservado o solicitado una cita con esta dirección.',
    provider: provider => `Recibe este correo como contacto de ${provider}.`,
    user: 'Recibe este correo porque esta dirección está asociada a una cuenta.',
  },
}
