import type { ComponentProps } from 'react'
import { lazyPart, usePreload } from '../lazy-part'
import type { CreateAgent as Create, EditAgent as Edit } from './agent-dialogs'

// Loaded after the page, since the form includes image cropping and selects.
const load = () => import('./agent-dialogs')
const LazyCreate = lazyPart(async () => (await load()).CreateAgent)
const LazyEdit = lazyPart(async () => (await load()).EditAgent)

export function CreateAgent(props: ComponentProps<typeof Create>) {
  usePreload(load)
  return props.open && <LazyCreate {...props} />
}

export function EditAgent(props: ComponentProps<typeof Edit>) {
  return props.agent && <LazyEdit {...props} />
}
