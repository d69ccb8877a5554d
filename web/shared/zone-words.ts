import type { Language } from './texts/index.ts'

// Names of cities in other languages than English, for the zones that our readers meet most: Intl has none. Imports only
// types, since it is a file of its own in the widget.

/** English name: German, French, Spanish, Italian; an empty one is the English name. */
const cities: Record<string, string> = {
  Amsterdam: ',,Ámsterdam,',
  Athens: 'Athen,Athènes,Atenas,Atene',
  Belgrade: 'Belgrad,,Belgrado,Belgrado',
  Berlin: ',,Berlín,Berlino',
  Brussels: 'Brüssel,Bruxelles,Bruselas,Bruxelles',
  Bucharest: 'Bukarest,Bucarest,Bucarest,Bucarest',
  Copenhagen: 'Kopenhagen,Copenhague,Copenhague,Copenaghen',
  Dublin: ',,Dublín,Dublino',
  Istanbul: ',,Estambul,',
  Kyiv: 'Kiew,Kiev,Kiev,Kiev',
  Lisbon: 'Lissabon,Lisbonne,Lisboa,Lisbona',
  London: ',Londres,Londres,Londra',
  Luxembourg: 'Luxemburg,,Luxemburgo,Lussemburgo',
  Moscow: 'Moskau,Moscou,Moscú,Mosca',
  'New York': ',,Nueva York,',
  Paris: ',,París,Parigi',
  Prague: 'Prag,,Praga,Praga',
  Rome: 'Rom,,Roma,Roma',
  Singapore: 'Singapur,Singapour,Singapur,',
  Sofia: ',,Sofía,',
  Stockholm: ',,Estocolmo,Stoccolma',
  Tokyo: 'Tokio,,Tokio,',
  Vienna: 'Wien,Vienne,Viena,',
  Warsaw: 'Warschau,Varsovie,Varsovia,Varsavia',
  Zagreb: ',,,Zagabria',
  Zurich: 'Zürich,,Zúrich,Zurigo',
}

const translated = ['de', 'fr', 'es', 'it']

/** 'Zeit in Berlin', 'heure de Berlin' */
export const inWords: Record<Exclude<Language, 'en'>, (city: string) => string> = {
  de: city => `Zeit in ${city}`,
  fr: city => (/^[AEIOUÉÎ]/.test(city) ? `heure d’${city}` : `heure de ${city}`),
  es: city => `hora de ${city}`,
  it: city => `ora di ${city}`,
}

/** 'Vienna' is 'Wien' in German. */
export const cityName = (language: Language, city: string): string =>
  cities[city]?.split(',')[translated.indexOf(language)] || city
