import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'
import { fieldLook } from './input'

/** Grows with its text from `rows` up to its own max height. */
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
