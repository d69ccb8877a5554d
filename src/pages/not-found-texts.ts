import type { Language } from '../languages.ts'

/** Texts of the 404 page. */
export const unknownTexts: Record<Language, { title: string; text: string }> = {
  de: { title: 'Seite nicht gefunden', text: 'Diese Seite gibt es nicht. Bitte prüfen Sie den Link.' },
  en: { title: 'Page not found', text: 'We can’t find this page. Check the link.' },
  fr: { title: 'Page introuvable', text: 'Cette page n’existe pas. Vérifiez le lien.' },
  es: { title: 'Página no encontrada', text: 'Esta página no existe. Compruebe el enlace.' },
  it: { title: 'Pagina non trovata', text: 'Questa pagina non esiste. Controlli il link.' },
}
