import type { ComponentProps, ReactNode } from 'react'
import { classes } from '@/lib/classes'

export const fieldLook =
  'w-full rounded-field border border-hairline-strong bg-surface text-base text-ink transition-[border-color,box-shadow] hover:border-ghost focus-visible:field-focus aria-invalid:border-madder disabled:bg-sunken disabled:text-muted disabled:border-hairline'

type InputProps = ComponentProps<'input'> & {
  /** A decorative icon before the text. */
  start?: ReactNode
  /** Content after the text: a unit, a shortcut. */
  end?: ReactNode
}

export function Input({ className, start, end, ...rest }: InputProps) {
  const input = (
    <input
      className={classes(
        fieldLook,
        'h-10 px-3',
        start && 'pl-9',
        end && 'pr-11',
        !start && !end && className,
      )}
      {...rest}
    />
  )
  if (!start && !end) return input
  return (
    <div className={classes('relative', className)}>
      {start && (
        <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-faint [&_svg]:size-4">
          {start}
        </span>
      )}
      {input}
      {end && (
        <span className="absolute inset-y-0 right-3 grid place-items-center text-muted text-xs">{end}</span>
      )}
    </div>
  )
}

/** Grows with its text from `rows` up to its maximum height. */
export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={classes(
        fieldLook,
        'field-sizing-content block max-h-96 px-3 py-2.5 leading-normal',
        className,
      )}
      {...rest}
    />
  )
}
