import { useEffect, useState } from 'react'
import { router } from './router'

/** Says the name of the page one has come to; a browser does so only when it loads a page anew. */
export function PageAnnouncer() {
  const [said, setSaid] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // Pages name themselves as they appear, so their name stands now.
        if (pathChanged && fromLocation) setSaid(document.title)
      }),
    [],
  )
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}
