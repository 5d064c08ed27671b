import '@/lib/i18n/editor'
import { useParams } from '@tanstack/react-router'
import { EditorPage } from '../editor/editor-page'

export function FlowRoutePage() {
  const { flowId } = useParams({ from: '/flow/$flowId' })
  return <EditorPage key={flowId} flowId={flowId} />
}
