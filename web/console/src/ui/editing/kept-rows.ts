/** A row of a form. One that is saved has its uuid and the values that the service has. */
type Row = { uuid?: string; saved?: object }

/** Rows that were kept, on top of those that exist by now: others may have added, changed or deleted some. */
export function renewedRows<R extends Row>(kept: R[], now: R[]): R[] {
  const known = now.filter(one => one.uuid).map(one => onTopOf(one, kept))
  const rows = [...known, ...kept.filter(one => !one.uuid)]
  return rows.length > 0 ? rows : now
}

/** Values that were not touched follow the service. */
function onTopOf<R extends Row>(now: R, all: R[]): R {
  const kept = all.find(one => one.uuid === now.uuid)
  if (!kept) return now
  const touched = Object.entries(kept).filter(([field, value]) => value !== savedValue(kept.saved, field))
  return { ...now, ...Object.fromEntries(touched), saved: now.saved }
}

const savedValue = (saved: object | undefined, field: string) => saved?.[field as keyof typeof saved]
