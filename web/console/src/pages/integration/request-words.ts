import { words } from '../../words.ts'

export const texts = words({
  en: {
    requests: 'API requests',
    requestsText:
      'The latest calls of your API keys. They are kept for 7 days, without personal data. If a key makes more than 100 calls in a second, one in ten is shown.',
    anyStatus: 'Any status',
    key: 'API key',
    anyKey: 'All keys',
    noRequests: 'No calls in the last 7 days. They appear here as soon as a system uses a key.',
    noneFound: 'No calls match these filters.',
    standsFor: (count: number) => `one of ${count}`,
  },
  de: {
    requests: 'API-Aufrufe',
    requestsText:
      'Die letzten Aufrufe Ihrer API-Schlüssel. Sie bleiben 7 Tage gespeichert, ohne personenbezogene Daten. Bei mehr als 100 Aufrufen eines Schlüssels pro Sekunde erscheint jeder zehnte.',
    anyStatus: 'Jeder Status',
    key: 'API-Schlüssel',
    anyKey: 'Alle Schlüssel',
    noRequests:
      'Keine Aufrufe in den letzten 7 Tagen. Sie erscheinen hier, sobald ein System einen Schlüssel verwendet.',
    noneFound: 'Keine passenden Aufrufe.',
    standsFor: (count: number) => `einer von ${count}`,
  },
  fr: {
    requests: 'Appels de l’API',
    requestsText:
      'Les derniers appels de vos clés API. Ils sont conservés 7 jours, sans données personnelles. Au-delà de 100 appels d’une clé par seconde, un sur dix est affiché.',
    anyStatus: 'Tous les statuts',
    key: 'Clé API',
    anyKey: 'Toutes les clés',
    noRequests: 'Aucun appel ces 7 derniers jours. Ils apparaîtront ici dès qu’un système utilisera une clé.',
    noneFound: 'Aucun appel ne correspond à ces filtres.',
    standsFor: (count: number) => `un sur ${count}`,
  },
  es: {
    requests: 'Llamadas a la API',
    requestsText:
      'Las últimas llamadas de sus claves de API. Se conservan 7 días, sin datos personales. Si una clave hace más de 100 llamadas por segundo, se muestra una de cada diez.',
    anyStatus: 'Cualquier estado',
    key: 'Clave de API',
    anyKey: 'Todas las claves',
    noRequests: 'Ninguna llamada en los últimos 7 días. Aparecerán aquí en cuanto un sistema use una clave.',
    noneFound: 'Ninguna llamada coincide con estos filtros.',
    standsFor: (count: number) => `una de cada ${count}`,
  },
  it: {
    requests: 'Chiamate API',
    requestsText:
      'Le ultime chiamate delle sue chiavi API. Vengono conservate per 7 giorni, senza dati personali. Oltre 100 chiamate al secondo di una chiave, ne viene mostrata una su dieci.',
    anyStatus: 'Qualsiasi stato',
    key: 'Chiave API',
    anyKey: 'Tutte le chiavi',
    noRequests:
      'Nessuna chiamata negli ultimi 7 giorni. Compariranno qui appena un sistema userà una chiave.',
    noneFound: 'Nessuna chiamata corrisponde a questi filtri.',
    standsFor: (count: number) => `una su ${count}`,
  },
})
