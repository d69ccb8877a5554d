import { words } from '../../words.ts'

export const texts = words({
  en: {
    text: 'Older data is deleted permanently every night. Customers you added or accepted yourself are kept.',
    labels: {
      mailDays: 'Delete email content after (days)',
      customerMonths: 'Delete online customers after (months since last appointment)',
    },
    emptyDays: (days: number | null) =>
      days === null
        ? 'Leave blank to keep it forever'
        : `Leave blank for the operator’s default of ${days} days`,
    emptyMonths: (months: number | null) =>
      months === null
        ? 'Leave blank to keep them forever'
        : `Leave blank for the operator’s default of ${months} months`,
  },
  de: {
    text: 'Ältere Daten werden jede Nacht endgültig gelöscht. Kunden, die Sie selbst angelegt oder angenommen haben, bleiben.',
    labels: {
      mailDays: 'E-Mail-Inhalte löschen nach (Tagen)',
      customerMonths: 'Online-Kunden löschen nach (Monaten seit dem letzten Termin)',
    },
    emptyDays: days =>
      days === null
        ? 'Leer lassen, um sie unbegrenzt zu behalten'
        : `Leer lassen für die Vorgabe des Betreibers: ${days} Tage`,
    emptyMonths: months =>
      months === null
        ? 'Leer lassen, um sie unbegrenzt zu behalten'
        : `Leer lassen für die Vorgabe des Betreibers: ${months} Monate`,
  },
  fr: {
    text: 'Les données plus anciennes sont supprimées définitivement chaque nuit. Les clients que vous avez ajoutés ou acceptés sont conservés.',
    labels: {
      mailDays: 'Supprimer le contenu des e-mails après (jours)',
      customerMonths: 'Supprimer les clients en ligne après (mois depuis le dernier rendez-vous)',
    },
    emptyDays: days =>
      days === null
        ? 'Laissez vide pour conserver sans limite'
        : `Laissez vide pour la valeur de l’exploitant\u00a0: ${days} jours`,
    emptyMonths: months =>
      months === null
        ? 'Laissez vide pour conserver sans limite'
        : `Laissez vide pour la valeur de l’exploitant\u00a0: ${months} mois`,
  },
  es: {
    text: 'Los datos más antiguos se eliminan definitivamente cada noche. Los clientes que usted añadió o aceptó se conservan.',
    labels: {
      mailDays: 'Eliminar el contenido de los correos tras (días)',
      customerMonths: 'Eliminar clientes online tras (meses desde la última cita)',
    },
    emptyDays: days =>
      days === null
        ? 'Déjelo vacío para conservarlo sin límite'
        : `Déjelo vacío para usar el valor del operador: ${days} días`,
    emptyMonths: months =>
      months === null
        ? 'Déjelo vacío para conservarlos sin límite'
        : `Déjelo vacío para usar el valor del operador: ${months} meses`,
  },
  it: {
    text: 'I dati più vecchi vengono eliminati definitivamente ogni notte. I clienti che ha aggiunto o accettato restano.',
    labels: {
      mailDays: 'Elimina il contenuto delle e-mail dopo (giorni)',
      customerMonths: 'Elimina i clienti online dopo (mesi dall’ultimo appuntamento)',
    },
    emptyDays: days =>
      days === null
        ? 'Lasci vuoto per conservarlo senza limiti'
        : `Lasci vuoto per usare il valore del gestore: ${days} giorni`,
    emptyMonths: months =>
      months === null
        ? 'Lasci vuoto per conservarli senza limiti'
        : `Lasci vuoto per usare il valore del gestore: ${months} mesi`,
  },
})
