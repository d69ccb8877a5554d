import { useEffect, useState } from 'preact/hooks'

type Choice = { uuid: string; name: string }

/** Thousands of options are added after the page has been drawn; the chosen one is there from the start. */
export function Options({ all, chosen }: { all: Choice[]; chosen: string | null }) {
  const [isDrawn, setDrawn] = useState(all.length <= 200)
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true), 100)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {(isDrawn ? all : all.filter(one => one.uuid === chosen)).map(one => (
        <option key={one.uuid} value={one.uuid}>
          {one.name}
        </option>
      ))}
    </>
  )
}
