import { common } from '../common-words.ts'
import { words } from '../words.ts'
import { Button } from './Button.tsx'
import type { Difference } from './use-edit.ts'

const texts = words({
  en: {
    kept: 'What you typed is still here. Save again to put it on top of theirs.',
    drop: 'Drop mine',
    none: 'nothing',
    other: 'Something else',
  },
  de: {
    kept: 'Ihre Eingaben sind noch da. Speichern Sie noch einmal, um sie darüberzulegen.',
    drop: 'Meine verwerfen',
    none: 'nichts',
    other: 'Etwas anderes',
  },
  fr: {
    kept: 'Votre saisie est toujours là. Enregistrez à nouveau pour l’appliquer par-dessus.',
    drop: 'Abandonner la mienne',
    none: 'rien',
    other: 'Autre chose',
  },
  es: {
    kept: 'Lo que escribió sigue aquí. Guarde otra vez para aplicarlo encima.',
    drop: 'Descartar lo mío',
    none: 'nada',
    other: 'Otra cosa',
  },
  it: {
    kept: 'Quanto hai scritto è ancora qui. Salva di nuovo per applicarlo sopra.',
    drop: 'Scarta il mio',
    none: 'niente',
    other: 'Altro',
  },
})

type Props<T> = {
  theirs: Difference<T>[]
  labels: Partial<Record<keyof T, string>>
  show?: (field: keyof T, value: unknown) => string | null
  onDrop: () => void
}

/** Lists, field by field, what someone else saved in the meantime. */
export function ConflictNotice<T>({ theirs, labels, show = () => null, onDrop }: Props<T>) {
  if (theirs.length === 0) return null
  const shown = (field: keyof T, value: unknown) => show(field, value) ?? plain(value)
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{common.changedByOthers}</strong>
      </p>
      <ul>
        {theirs.map(({ field, before, after }) => (
          <li key={String(field)}>
            {labels[field] ?? texts.other}: <s>{shown(field, before)}</s> → {shown(field, after)}
          </li>
        ))}
      </ul>
      <p>{texts.kept}</p>
      <Button onClick={onDrop}>{texts.drop}</Button>
    </div>
  )
}

function plain(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return texts.none
  if (typeof value === 'boolean') return value ? common.yes : common.no
  return typeof value === 'object' ? '…' : String(value)
}
