import { ViewportPortal } from '@xyflow/react'
import type { Guide } from './alignment-guides'

/** Hairlines along which a dragged card has fallen into line. */
export function GuideLines({ guides }: { guides: readonly Guide[] }) {
  return (
    <ViewportPortal>
      {guides.map((guide) => (
        <i
          key={`${guide.axis}${guide.at}`}
          aria-hidden
          className="pointer-events-none absolute bg-cobalt/70"
          style={
            guide.axis === 'x'
              ? { left: guide.at, top: guide.from, width: 1, height: guide.to - guide.from }
              : { left: guide.from, top: guide.at, width: guide.to - guide.from, height: 1 }
          }
        />
      ))}
    </ViewportPortal>
  )
}
