import { words } from '../../../words.ts'

type Count = number | string

export const productTexts = words({
  en: {
    atLeast: (minutes: number) => `at least ${minutes} min`,
    atMost: (minutes: number) => `up to ${minutes} min`,
    duration: 'Duration',
    buffers: 'Buffers',
    addProduct: 'Add service',
    noProducts: 'Services are what customers book, such as a 30-minute consultation. Add your first one.',
    productNameHint: 'Shown to customers, for example “Consultation”',
    maxDuration: 'Up to (optional)',
    durationHint: 'Leave blank for the slot length of the opening hours',
    roundedUp: (step: number, booked: number) =>
      `Booked as ${booked} minutes, because opening hours have ${step}-minute slots.`,
    changeSlots: 'Change the slot length',
    bufferBefore: 'Buffer before (minutes)',
    bufferAfter: 'Buffer after (minutes)',
    bufferHint: 'Applies to new bookings only',
    answersRequired: 'Accept bookings only with answers to required questions',
    answersRequiredHint:
      'Otherwise, customers can also book with forms that don’t show your questions. You’ll see what is missing.',
    price: 'Price',
    priceHint: 'As customers read it, for example “€45” or “from €30”',
    maxPlaces: 'Maximum places per booking',
    maxPlacesHint: 'For classes: how many places customers can book at once',
    placeNamesRequired: 'Ask for a name for each place',
    oneSlot: 'one slot',
    inMinutes: (count: Count) => `${count} min`,
    minutesBefore: (count: Count) => `${count} min before`,
    minutesAfter: (count: Count) => `${count} min after`,
    totalMinutes: (count: Count) => `${count} minutes in total`,
    offeredBy: 'Offered by',
    allResources: 'all people and rooms',
    noResources: 'not offered yet',
    removeText: 'Customers can no longer book it. Existing appointments stay unchanged.',
    upcoming: (count: number) =>
      count === 0
        ? 'No upcoming appointments use it.'
        : count === 1
          ? '1 upcoming appointment keeps it.'
          : `${count} upcoming appointments keep it.`,
    noLongerOfferedBy: (names: string) => `No longer offered by: ${names}.`,
    onlyService: (name: string) =>
      `${name} offers no other service. Add another service there first, or delete ${name}.`,
    removed: (name: string) => `${name} deleted.`,
  },
  de: {
    atLeast: minutes => `ab ${minutes} Min.`,
    atMost: minutes => `bis ${minutes} Min.`,
    duration: 'Dauer',
    buffers: 'Puffer',
    addProduct: 'Leistung anlegen',
    noProducts:
      'Leistungen sind das, was Kunden buchen, etwa ein Erstgespräch von 30 Minuten. Legen Sie die erste an.',
    productNameHint: 'Wird Kunden angezeigt, zum Beispiel „Beratung“',
    maxDuration: 'Bis zu (optional)',
    durationHint: 'Leer lassen für ein Zeitfenster der Öffnungszeiten',
    roundedUp: (step, booked) =>
      `Wird mit ${booked} Minuten gebucht: Die Öffnungszeiten haben Zeitfenster von ${step} Minuten.`,
    changeSlots: 'Zeitfenster ändern',
    bufferBefore: 'Puffer davor (Minuten)',
    bufferAfter: 'Puffer danach (Minuten)',
    bufferHint: 'Gilt nur für neue Buchungen',
    answersRequired: 'Nur mit Antworten auf Pflichtfragen buchen lassen',
    answersRequiredHint:
      'Sonst kann auch über Formulare gebucht werden, die Ihre Fragen nicht zeigen. Sie sehen, was fehlt.',
    price: 'Preis',
    priceHint: 'So, wie Kunden ihn lesen, zum Beispiel „45 €“ oder „ab 30 €“',
    maxPlaces: 'Höchstzahl der Plätze pro Buchung',
    maxPlacesHint: 'Für Kurse: so viele Plätze können Kunden auf einmal buchen',
    placeNamesRequired: 'Für jeden Platz einen Namen erfragen',
    oneSlot: 'ein Zeitfenster',
    inMinutes: count => `${count} Min.`,
    minutesBefore: count => `${count} Min. davor`,
    minutesAfter: count => `${count} Min. danach`,
    totalMinutes: count => `Insgesamt ${count} Minuten`,
    offeredBy: 'Angeboten von',
    allResources: 'allen Personen und Räumen',
    noResources: 'noch nicht angeboten',
    removeText: 'Kunden können sie nicht mehr buchen. Bestehende Termine bleiben unverändert.',
    upcoming: count =>
      count === 0
        ? 'Kein kommender Termin ist betroffen.'
        : count === 1
          ? '1 kommender Termin behält sie.'
          : `${count} kommende Termine behalten sie.`,
    noLongerOfferedBy: names => `Nicht mehr angeboten von: ${names}.`,
    onlyService: name =>
      `${name} bietet keine andere Leistung an. Wählen Sie dort zuerst eine andere, oder löschen Sie ${name}.`,
    removed: name => `${name} wurde gelöscht.`,
  },
  fr: {
    atLeast: minutes => `à partir de ${minutes} min`,
    atMost: minutes => `jusqu’à ${minutes} min`,
    duration: 'Durée',
    buffers: 'Marges',
    addProduct: 'Ajouter une prestation',
    noProducts:
      'Les prestations sont ce que l’on réserve, par exemple un entretien de 30 minutes. Ajoutez la première.',
    productNameHint: 'Affiché aux clients, par exemple «\u00a0Consultation\u00a0»',
    maxDuration: 'Jusqu’à (facultatif)',
    durationHint: 'Laissez vide pour la durée d’un créneau des horaires',
    roundedUp: (step, booked) =>
      `Réservée pour ${booked} minutes, car les horaires ont des créneaux de ${step} minutes.`,
    changeSlots: 'Modifier la durée des créneaux',
    bufferBefore: 'Marge avant (minutes)',
    bufferAfter: 'Marge après (minutes)',
    bufferHint: 'Uniquement pour les nouvelles réservations',
    answersRequired: 'N’accepter que les réservations avec réponses obligatoires',
    answersRequiredHint:
      'Sinon, les formulaires qui n’affichent pas vos questions peuvent aussi réserver. Vous voyez ce qui manque.',
    price: 'Prix',
    priceHint:
      'Tel que les clients le lisent, par exemple «\u00a045\u00a0€\u00a0» ou «\u00a0à partir de 30\u00a0€\u00a0»',
    maxPlaces: 'Nombre maximal de places par réservation',
    maxPlacesHint: 'Pour les cours : nombre de places réservables en une fois',
    placeNamesRequired: 'Demander un nom pour chaque place',
    oneSlot: 'un créneau',
    inMinutes: count => `${count} min`,
    minutesBefore: count => `${count} min avant`,
    minutesAfter: count => `${count} min après`,
    totalMinutes: count => `${count} minutes au total`,
    offeredBy: 'Proposée par',
    allResources: 'toutes les personnes et salles',
    noResources: 'pas encore proposée',
    removeText: 'Les clients ne pourront plus la réserver. Les rendez-vous existants ne changent pas.',
    upcoming: count =>
      count === 0
        ? 'Aucun rendez-vous à venir n’est concerné.'
        : count === 1
          ? '1 rendez-vous à venir la conserve.'
          : `${count} rendez-vous à venir la conservent.`,
    noLongerOfferedBy: names => `Ne sera plus proposée par\u00a0: ${names}.`,
    onlyService: name =>
      `${name} ne propose aucune autre prestation. Choisissez-y d’abord une autre prestation, ou supprimez ${name}.`,
    removed: name => `Prestation supprimée\u00a0: ${name}.`,
  },
  es: {
    atLeast: minutes => `desde ${minutes} min`,
    atMost: minutes => `hasta ${minutes} min`,
    duration: 'Duración',
    buffers: 'Márgenes',
    addProduct: 'Añadir servicio',
    noProducts:
      'Los servicios son lo que se reserva, por ejemplo una consulta de 30 minutos. Añada el primero.',
    productNameHint: 'Lo ven los clientes, por ejemplo «Consulta»',
    maxDuration: 'Hasta (opcional)',
    durationHint: 'Déjelo vacío para una franja del horario',
    roundedUp: (step, booked) =>
      `Se reserva con ${booked} minutos, porque el horario tiene franjas de ${step} minutos.`,
    changeSlots: 'Cambiar las franjas',
    bufferBefore: 'Margen antes (minutos)',
    bufferAfter: 'Margen después (minutos)',
    bufferHint: 'Solo para reservas nuevas',
    answersRequired: 'Aceptar solo reservas con las respuestas obligatorias',
    answersRequiredHint:
      'Si no, también se puede reservar con formularios que no muestran sus preguntas. Usted ve lo que falta.',
    price: 'Precio',
    priceHint: 'Tal como lo leen los clientes, por ejemplo «45\u00a0€» o «desde 30\u00a0€»',
    maxPlaces: 'Número máximo de plazas por reserva',
    maxPlacesHint: 'Para clases: cuántas plazas se pueden reservar a la vez',
    placeNamesRequired: 'Pedir un nombre por plaza',
    oneSlot: 'una franja',
    inMinutes: count => `${count} min`,
    minutesBefore: count => `${count} min antes`,
    minutesAfter: count => `${count} min después`,
    totalMinutes: count => `${count} minutos en total`,
    offeredBy: 'Lo ofrece',
    allResources: 'todas las personas y salas',
    noResources: 'aún no se ofrece',
    removeText: 'Los clientes ya no podrán reservarlo. Las citas existentes no cambian.',
    upcoming: count =>
      count === 0
        ? 'No afecta a ninguna cita futura.'
        : count === 1
          ? '1 cita futura lo conserva.'
          : `${count} citas futuras lo conservan.`,
    noLongerOfferedBy: names => `Dejarán de ofrecerlo: ${names}.`,
    onlyService: name => `${name} no ofrece ningún otro servicio. Elija antes otro allí o elimine ${name}.`,
    removed: name => `Se ha eliminado ${name}.`,
  },
  it: {
    atLeast: minutes => `da ${minutes} min`,
    atMost: minutes => `fino a ${minutes} min`,
    duration: 'Durata',
    buffers: 'Margini',
    addProduct: 'Aggiungi servizio',
    noProducts:
      'I servizi sono ciò che si prenota, per esempio una consulenza di 30 minuti. Aggiunga il primo.',
    productNameHint: 'Visibile ai clienti, per esempio «Consulenza»',
    maxDuration: 'Fino a (facoltativo)',
    durationHint: 'Lasci vuoto per una fascia degli orari',
    roundedUp: (step, booked) =>
      `Prenotato per ${booked} minuti, perché gli orari hanno fasce di ${step} minuti.`,
    changeSlots: 'Modifica le fasce',
    bufferBefore: 'Margine prima (minuti)',
    bufferAfter: 'Margine dopo (minuti)',
    bufferHint: 'Vale solo per le nuove prenotazioni',
    answersRequired: 'Accetta solo prenotazioni con le risposte obbligatorie',
    answersRequiredHint:
      'Altrimenti prenota anche chi usa moduli che non mostrano le sue domande. Lei vede che cosa manca.',
    price: 'Prezzo',
    priceHint: 'Come lo leggono i clienti, ad esempio «45\u00a0€» o «da 30\u00a0€»',
    maxPlaces: 'Numero massimo di posti per prenotazione',
    maxPlacesHint: 'Per i corsi: quanti posti si possono prenotare insieme',
    placeNamesRequired: 'Chiedi un nome per ogni posto',
    oneSlot: 'una fascia',
    inMinutes: count => `${count} min`,
    minutesBefore: count => `${count} min prima`,
    minutesAfter: count => `${count} min dopo`,
    totalMinutes: count => `${count} minuti in totale`,
    offeredBy: 'Offerto da',
    allResources: 'tutte le persone e le sale',
    noResources: 'non ancora offerto',
    removeText: 'I clienti non potranno più prenotarlo. Gli appuntamenti esistenti non cambiano.',
    upcoming: count =>
      count === 0
        ? 'Nessun appuntamento futuro è interessato.'
        : count === 1
          ? '1 appuntamento futuro lo mantiene.'
          : `${count} appuntamenti futuri lo mantengono.`,
    noLongerOfferedBy: names => `Non sarà più offerto da: ${names}.`,
    onlyService: name => `${name} non offre altri servizi. Prima ne scelga un altro oppure elimini ${name}.`,
    removed: name => `Servizio eliminato: ${name}.`,
  },
})
