import { useEffect, useState } from 'preact/hooks'

type Choice = { uuid: string; name: string }

const atOnce = 500

/** Thousands of options are added little by little, so that the page never stands still; the chosen one is there at once. */
export function Options({ all, chosen }: { all: Choice[]; chosen: string | null }) {
  const [drawn, setDrawn] = useState(200)
  const isMore = drawn < all.length
  useEffect(() => {
    if (!isMore) return
    const timer = setTimeout(() => setDrawn(drawn + atOnce), 50)
    return () => clearTimeout(timer)
  }, [drawn, isMore])
  const shown = isMore ? all.filter((one, index) => index < drawn || one.uuid === chosen) : all
  return (
    <>
      {shown.map(one => (
        <option key={one.uuid} value={one.uuid}>
          {one.name}
        </option>
      ))}
    </>
  )
}
