import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '@/components/button'

type ConnectionsLinkProps = Pick<ButtonProps, 'variant' | 'className'> & { icon: ReactNode; text: string }

/** Opens the page of the connections in another tab, so that the canvas stays as it is. */
export function ConnectionsLink({ icon, text, ...rest }: ConnectionsLinkProps) {
  return (
    <Button size="sm" {...rest} asChild>
      <a href="/account/connections" target="_blank" rel="noreferrer">
        {icon}
        {text}
      </a>
    </Button>
  )
}
