import { words } from '../../words.ts'

export const embedTexts = words({
  en: {
    preview: 'Preview',
    openPage: 'Open',
    snippet: 'Code for your website',
    link: 'Link to share',
  },
  de: {
    preview: 'Vorschau',
    openPage: 'Öffnen',
    snippet: 'Code für Ihre Website',
    link: 'Link zum Teilen',
  },
  fr: {
    preview: 'Aperçu',
    openPage: 'Ouvrir',
    snippet: 'Code pour votre site',
    link: 'Lien à partager',
  },
  es: {
    preview: 'Vista previa',
    openPage: 'Abrir',
    snippet: 'Código para su web',
    link: 'Enlace para compartir',
  },
  it: {
    preview: 'Anteprima',
    openPage: 'Apri',
    snippet: 'Codice per il suo sito',
    link: 'Link da condividere',
  },
})
