import { words } from '../../words.ts'

export const embedTexts = words({
  en: {
    address: 'Address of your booking page',
    slugHint: 'Lowercase letters, digits and hyphens. You can change it later.',
    oldAddressHint: 'Links to the old address keep working.',
    changeAddress: 'Change address',
    chooseAddress: 'Choose a short address',
    yourPage: 'Your booking page',
    yourPageHint:
      'One address for everything you offer. New services and colleagues appear there automatically.',
    openPage: 'Open',
    snippet: 'Code for your website',
    link: 'Link to share',
  },
  de: {
    address: 'Adresse Ihrer Buchungsseite',
    slugHint: 'Kleinbuchstaben, Ziffern und Bindestriche. Sie können sie später ändern.',
    oldAddressHint: 'Links auf die alte Adresse funktionieren weiter.',
    changeAddress: 'Adresse ändern',
    chooseAddress: 'Kurze Adresse wählen',
    yourPage: 'Ihre Buchungsseite',
    yourPageHint:
      'Eine Adresse für Ihr ganzes Angebot. Neue Leistungen und Teammitglieder erscheinen dort automatisch.',
    openPage: 'Öffnen',
    snippet: 'Code für Ihre Website',
    link: 'Link zum Teilen',
  },
  fr: {
    address: 'Adresse de votre page de réservation',
    slugHint: 'Lettres minuscules, chiffres et tirets. Vous pourrez la modifier plus tard.',
    oldAddressHint: 'Les liens vers l’ancienne adresse restent valables.',
    changeAddress: 'Modifier l’adresse',
    chooseAddress: 'Choisir une adresse courte',
    yourPage: 'Votre page de réservation',
    yourPageHint:
      'Une seule adresse pour toute votre offre. Les nouvelles prestations et les nouveaux collègues y apparaissent automatiquement.',
    openPage: 'Ouvrir',
    snippet: 'Code pour votre site',
    link: 'Lien à partager',
  },
  es: {
    address: 'Dirección de su página de reservas',
    slugHint: 'Minúsculas, cifras y guiones. Podrá cambiarla más adelante.',
    oldAddressHint: 'Los enlaces a la dirección anterior siguen funcionando.',
    changeAddress: 'Cambiar la dirección',
    chooseAddress: 'Elegir una dirección corta',
    yourPage: 'Su página de reservas',
    yourPageHint:
      'Una sola dirección para toda su oferta. Los nuevos servicios y compañeros aparecen allí automáticamente.',
    openPage: 'Abrir',
    snippet: 'Código para su web',
    link: 'Enlace para compartir',
  },
  it: {
    address: 'Indirizzo della sua pagina di prenotazione',
    slugHint: 'Lettere minuscole, cifre e trattini. Potrà cambiarlo in seguito.',
    oldAddressHint: 'I link al vecchio indirizzo continuano a funzionare.',
    changeAddress: 'Cambia indirizzo',
    chooseAddress: 'Scegli un indirizzo breve',
    yourPage: 'La sua pagina di prenotazione',
    yourPageHint:
      'Un solo indirizzo per tutta la sua offerta. Nuovi servizi e colleghi vi compaiono automaticamente.',
    openPage: 'Apri',
    snippet: 'Codice per il suo sito',
    link: 'Link da condividere',
  },
})
