import type { ZoneNames } from './format.ts'
import type { Language } from './texts/index.ts'
import { cityOf } from './zones.ts'

// Time zones in words: 'Berlin time', 'Zeit in Berlin', 'heure de Berlin'. Intl has no names of cities, so those that
// differ from the English one are listed here, for the zones that our readers meet most.

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

const inWords: Record<Language, (city: string) => string> = {
  de: city => `Zeit in ${city}`,
  en: city => `${city} time`,
  fr: city => (/^[AEIOUÉÎ]/.test(city) ? `heure d’${city}` : `heure de ${city}`),
  es: city => `hora de ${city}`,
  it: city => `ora di ${city}`,
}

/** 'Europe/Vienna' is 'Wien' in German. */
export function cityIn(language: Language, zone: string): string {
  const city = cityOf(zone)
  return cities[city]?.split(',')[translated.indexOf(language)] || city
}

/** 'Berlin time'; null for zones that are only an offset, such as UTC and Etc/GMT+5. */
export const zoneName = (language: Language, zone: string): string | null =>
  /^(?!Etc\/).+\//.test(zone) ? inWords[language](cityIn(language, zone)) : null

/** 'Berlin time (UTC+1)': the one way to write a zone. The offset may be two, if the clock changes in between. */
export function zoneLabel(language: Language, zone: string, offset: string): string {
  const name = zoneName(language, zone)
  return name ? `${name[0]!.toUpperCase()}${name.slice(1)} (${offset})` : offset
}

export const zoneNamesIn = (language: Language): ZoneNames => ({
  city: zone => cityIn(language, zone),
  label: (zone, offset) => zoneLabel(language, zone, offset),
})
