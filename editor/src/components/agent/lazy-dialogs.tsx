import { type ComponentProps, lazy, Suspense } from 'react'
import type { CreateAgent as Create, EditAgent as Edit } from './agent-dialogs'

// Loaded on demand, since the form includes image cropping and selects.
const LazyCreate = lazy(() => import('./agent-dialogs').then((module) => ({ default: module.CreateAgent })))
const LazyEdit = lazy(() => import('./agent-dialogs').then((module) => ({ default: module.EditAgent })))

export function CreateAgent(props: ComponentProps<typeof Create>) {
  return <Suspense>{props.open && <LazyCreate {...props} />}</Suspense>
}

export function EditAgent(props: ComponentProps<typeof Edit>) {
  return <Suspense>{props.agent && <LazyEdit {...props} />}</Suspense>
}
