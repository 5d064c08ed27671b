import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type FormErrorProps = {
  /** What did not work. Nothing is drawn without it. */
  title: string | null | undefined
  /** Why, and what to do. */
  children?: ReactNode
}

/** A failure of a whole form, read out when it appears. */
export function FormError({ title, children }: FormErrorProps) {
  return (
    <div role="alert" className="empty:hidden">
      {title && (
        <div className="flex animate-fade gap-2.5 rounded-m border border-madder/35 bg-madder/7 px-3.5 py-3 text-left">
          <CircleAlert aria-hidden className="mt-px size-4.5 text-madder-text" />
          <div className="min-w-0 flex-1">
            <p className="font-semibold text-madder-text">{title}</p>
            {children && <div className="mt-0.5 text-muted text-sm">{children}</div>}
          </div>
        </div>
      )}
    </div>
  )
}
