import { words } from '../../words.ts'

type Count = number | string

export const productTexts = words({
  en: {
    duration: 'Duration',
    buffers: 'Buffers',
    addProduct: 'Add a product',
    noProducts: 'A product is what people book, such as a first talk of 30 minutes.',
    productNameHint: 'What customers choose, such as “Consultation”.',
    minDuration: 'Shortest (minutes)',
    maxDuration: 'Longest (minutes)',
    durationHint: 'Empty: as long as a slot.',
    lead: 'Needed before (minutes)',
    followUp: 'Needed after (minutes)',
    bufferHint: 'For what is booked from now on.',
    asRaster: 'one slot',
    inMinutes: (count: Count) => `${count} min`,
    before: (count: Count) => `${count} min before`,
    after: (count: Count) => `${count} min after`,
    blocks: (count: Count) => `Takes ${count} minutes in all.`,
    offeredBy: 'Offered by',
    byAll: 'all resources',
    byNone: 'nobody',
    remove: 'Delete …',
    removeTitle: (name: string) => `Delete ${name}?`,
    removeText: 'It leaves every list and can no longer be booked. What is booked stays as it is.',
    toCome: (count: number) =>
      count === 0
        ? 'No appointment to come is affected.'
        : count === 1
          ? 'One appointment to come keeps it.'
          : `${count} appointments to come keep it.`,
    links: (names: string) => `No longer offered by: ${names}.`,
    stuck: (name: string) =>
      `${name} offers nothing else. Choose another product for it first, or delete it.`,
    removed: (name: string) => `${name} is deleted.`,
  },
  de: {
    duration: 'Dauer',
    buffers: 'Puffer',
    addProduct: 'Leistung anlegen',
    noProducts: 'Eine Leistung ist, was gebucht wird, etwa ein Erstgespräch von 30 Minuten.',
    productNameHint: 'Was Kunden auswählen, etwa „Beratung“.',
    minDuration: 'Mindestens (Minuten)',
    maxDuration: 'Höchstens (Minuten)',
    durationHint: 'Leer: so lang wie ein Zeitfenster.',
    lead: 'Davor nötig (Minuten)',
    followUp: 'Danach nötig (Minuten)',
    bufferHint: 'Gilt für alles, was ab jetzt gebucht wird.',
    asRaster: 'ein Zeitfenster',
    inMinutes: count => `${count} Min.`,
    before: count => `${count} Min. davor`,
    after: count => `${count} Min. danach`,
    blocks: count => `Belegt insgesamt ${count} Minuten.`,
    offeredBy: 'Angeboten von',
    byAll: 'allen Ressourcen',
    byNone: 'niemandem',
    remove: 'Löschen …',
    removeTitle: name => `${name} löschen?`,
    removeText: 'Verschwindet aus allen Listen und kann nicht mehr gebucht werden. Was gebucht ist, bleibt.',
    toCome: count =>
      count === 0
        ? 'Kein künftiger Termin ist betroffen.'
        : count === 1
          ? 'Ein künftiger Termin behält sie.'
          : `${count} künftige Termine behalten sie.`,
    links: names => `Nicht mehr angeboten von: ${names}.`,
    stuck: name =>
      `${name} bietet sonst nichts an. Wählen Sie dort zuerst eine andere Leistung, oder löschen Sie sie.`,
    removed: name => `${name} ist gelöscht.`,
  },
  fr: {
    duration: 'Durée',
    buffers: 'Marges',
    addProduct: 'Ajouter une prestation',
    noProducts: 'Une prestation est ce que l’on réserve, par exemple un premier entretien de 30 minutes.',
    productNameHint: 'Ce que les clients choisissent, par exemple « Consultation ».',
    minDuration: 'Au moins (minutes)',
    maxDuration: 'Au plus (minutes)',
    durationHint: 'Vide : la durée d’un créneau.',
    lead: 'Avant (minutes)',
    followUp: 'Après (minutes)',
    bufferHint: 'Pour ce qui sera réservé désormais.',
    asRaster: 'un créneau',
    inMinutes: count => `${count} min`,
    before: count => `${count} min avant`,
    after: count => `${count} min après`,
    blocks: count => `Occupe ${count} minutes en tout.`,
    offeredBy: 'Proposée par',
    byAll: 'toutes les ressources',
    byNone: 'personne',
    remove: 'Supprimer …',
    removeTitle: name => `Supprimer ${name} ?`,
    removeText: 'Disparaît de toutes les listes et ne peut plus être réservée. Ce qui est réservé reste.',
    toCome: count =>
      count === 0
        ? 'Aucun rendez-vous à venir n’est concerné.'
        : count === 1
          ? 'Un rendez-vous à venir la garde.'
          : `${count} rendez-vous à venir la gardent.`,
    links: names => `N’est plus proposée par : ${names}.`,
    stuck: name =>
      `${name} ne propose rien d’autre. Choisissez-y d’abord une autre prestation, ou supprimez-la.`,
    removed: name => `${name} est supprimée.`,
  },
  es: {
    duration: 'Duración',
    buffers: 'Márgenes',
    addProduct: 'Añadir un servicio',
    noProducts: 'Un servicio es lo que se reserva, por ejemplo una primera charla de 30 minutos.',
    productNameHint: 'Lo que eligen los clientes, por ejemplo «Consulta».',
    minDuration: 'Mínimo (minutos)',
    maxDuration: 'Máximo (minutos)',
    durationHint: 'Vacío: lo que dura un hueco.',
    lead: 'Antes (minutos)',
    followUp: 'Después (minutos)',
    bufferHint: 'Para lo que se reserve desde ahora.',
    asRaster: 'un hueco',
    inMinutes: count => `${count} min`,
    before: count => `${count} min antes`,
    after: count => `${count} min después`,
    blocks: count => `Ocupa ${count} minutos en total.`,
    offeredBy: 'Lo ofrece',
    byAll: 'todos los recursos',
    byNone: 'nadie',
    remove: 'Eliminar …',
    removeTitle: name => `¿Eliminar ${name}?`,
    removeText: 'Desaparece de todas las listas y ya no se puede reservar. Lo reservado se queda.',
    toCome: count =>
      count === 0
        ? 'No afecta a ninguna cita futura.'
        : count === 1
          ? 'Una cita futura lo conserva.'
          : `${count} citas futuras lo conservan.`,
    links: names => `Ya no lo ofrece: ${names}.`,
    stuck: name => `${name} no ofrece nada más. Elija antes otro servicio allí, o elimínelo.`,
    removed: name => `${name} está eliminado.`,
  },
  it: {
    duration: 'Durata',
    buffers: 'Margini',
    addProduct: 'Aggiungi una prestazione',
    noProducts: 'Una prestazione è ciò che si prenota, per esempio un primo colloquio di 30 minuti.',
    productNameHint: 'Ciò che i clienti scelgono, per esempio «Consulenza».',
    minDuration: 'Minimo (minuti)',
    maxDuration: 'Massimo (minuti)',
    durationHint: 'Vuoto: quanto uno slot.',
    lead: 'Prima (minuti)',
    followUp: 'Dopo (minuti)',
    bufferHint: 'Per ciò che si prenota da adesso.',
    asRaster: 'uno slot',
    inMinutes: count => `${count} min`,
    before: count => `${count} min prima`,
    after: count => `${count} min dopo`,
    blocks: count => `Occupa ${count} minuti in tutto.`,
    offeredBy: 'Offerta da',
    byAll: 'tutte le risorse',
    byNone: 'nessuno',
    remove: 'Elimina …',
    removeTitle: name => `Eliminare ${name}?`,
    removeText: 'Sparisce da ogni elenco e non si può più prenotare. Ciò che è prenotato resta.',
    toCome: count =>
      count === 0
        ? 'Nessun appuntamento futuro ne è toccato.'
        : count === 1
          ? 'Un appuntamento futuro la mantiene.'
          : `${count} appuntamenti futuri la mantengono.`,
    links: names => `Non più offerta da: ${names}.`,
    stuck: name => `${name} non offre altro. Scegli prima un’altra prestazione, oppure eliminala.`,
    removed: name => `${name} è stata eliminata.`,
  },
})
