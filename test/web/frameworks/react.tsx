/** @jsxImportSource react */
import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { HoldfastBooking } from '../../../clients/ts/widget/index.d.ts'
import type {} from '../../../clients/ts/widget/react.d.ts'

// A page of a React application. The resource is set a moment later, as with fetched data.

declare global {
  var config: { baseUrl: string; resource: string; later: string }
}

function Page() {
  const element = useRef<HoldfastBooking>(null)
  const [resource, setResource] = useState<string | undefined>()
  const [booked, setBooked] = useState('')
  return (
    <>
      <button type="button" onClick={() => setResource(config.resource)}>
        Show
      </button>
      <button type="button" onClick={() => setResource(config.later)}>
        Show another
      </button>
      <button type="button" onClick={() => setResource(undefined)}>
        Hide
      </button>
      <button type="button" onClick={() => void element.current?.refresh()}>
        Refresh
      </button>
      <p id="booked">{booked}</p>
      <holdfast-booking
        ref={element}
        resource={resource}
        baseUrl={config.baseUrl}
        theme="light"
        lang="en"
        onholdfast-booked={event => setBooked(`${event.detail.status} ${event.detail.start}`)}
      />
    </>
  )
}

createRoot(document.getElementById('app')!).render(<Page />)
