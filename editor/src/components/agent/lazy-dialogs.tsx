import type { ComponentProps } from 'react'
import { lazyPart } from '../lazy-part'
import type { CreateAgent as Create, EditAgent as Edit } from './agent-dialogs'

// Loaded on demand, since the form includes image cropping and selects.
const LazyCreate = lazyPart(async () => (await import('./agent-dialogs')).CreateAgent)
const LazyEdit = lazyPart(async () => (await import('./agent-dialogs')).EditAgent)

export function CreateAgent(props: ComponentProps<typeof Create>) {
  return props.open && <LazyCreate {...props} />
}

export function EditAgent(props: ComponentProps<typeof Edit>) {
  return props.agent && <LazyEdit {...props} />
}
