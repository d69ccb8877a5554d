import { common } from '../../common-words.ts'
import { words } from '../../words.ts'
import { Button } from '../Button.tsx'
import type { Difference } from './use-edit.ts'

const texts = words({
  en: {
    kept: 'Your changes are still here. Save again to overwrite theirs.',
    drop: 'Discard my changes',
    none: 'empty',
    other: 'Other details',
  },
  de: {
    kept: 'Ihre Eingaben sind noch da. Speichern Sie erneut, um die andere Version zu überschreiben.',
    drop: 'Meine Änderungen verwerfen',
    none: 'leer',
    other: 'Weitere Angaben',
  },
  fr: {
    kept: 'Votre saisie est toujours là. Enregistrez à nouveau pour remplacer l’autre version.',
    drop: 'Abandonner mes modifications',
    none: 'vide',
    other: 'Autres champs',
  },
  es: {
    kept: 'Sus cambios siguen aquí. Guarde de nuevo para sobrescribir los de la otra persona.',
    drop: 'Descartar mis cambios',
    none: 'vacío',
    other: 'Otros datos',
  },
  it: {
    kept: 'Le sue modifiche sono ancora qui. Salvi di nuovo per sovrascrivere le altre.',
    drop: 'Scarta le mie modifiche',
    none: 'vuoto',
    other: 'Altri dati',
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
