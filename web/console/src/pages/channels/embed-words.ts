import { words } from '../../words.ts'

export const embedTexts = words({
  en: {
    preview: 'What customers see',
    openPage: 'open',
    snippet: 'For your website',
    link: 'Link to hand out',
  },
  de: {
    preview: 'Was Kunden sehen',
    openPage: 'öffnen',
    snippet: 'Für Ihre Website',
    link: 'Link zum Weitergeben',
  },
  fr: {
    preview: 'Ce que voient les clients',
    openPage: 'ouvrir',
    snippet: 'Pour votre site',
    link: 'Lien à communiquer',
  },
  es: {
    preview: 'Lo que ven los clientes',
    openPage: 'abrir',
    snippet: 'Para su web',
    link: 'Enlace para compartir',
  },
  it: {
    preview: 'Ciò che vedono i clienti',
    openPage: 'apri',
    snippet: 'Per il tuo sito',
    link: 'Link da condividere',
  },
})
