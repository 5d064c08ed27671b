import { useTranslation } from 'react-i18next'
import {
  deleteFlow,
  deprecateFlow,
  duplicateFlow,
  exportFlow,
  type FlowSummary,
  restoreFlowStatus,
} from '@/lib/api/flows'
import { saveBlob } from '@/lib/files/download'
import { fileStem } from '@/lib/files/name'
import { toastError, toastSuccess } from '@/lib/toasts'
import { withUndo } from '@/lib/with-undo'

export type AgentActions = Record<
  'duplicate' | 'exportFile' | 'deprecate' | 'restore' | 'remove',
  (agent: FlowSummary) => void
>

/** What the menu of an agent does; each tells how it went. */
export function useAgentActions(): AgentActions {
  const { t } = useTranslation('agents')
  const tell = (work: Promise<unknown>, words: string) =>
    void work.then(
      () => toastSuccess(words),
      (error) => toastError(t('failed'), error),
    )
  return {
    duplicate: ({ id, name }) => tell(duplicateFlow(id), t('duplicated', { name })),
    deprecate: ({ id, name }) => tell(deprecateFlow(id), t('deprecated', { name })),
    restore: ({ id, name }) => tell(restoreFlowStatus(id), t('restored', { name })),
    exportFile: ({ id, name }) =>
      void exportFlow(id).then(
        (file) => saveBlob(file, `${fileStem(name)}.json`),
        (error) => toastError(t('failed'), error),
      ),
    remove: ({ id, name }) =>
      withUndo({
        ids: [id],
        title: t('deleted', { name }),
        failed: t('failed'),
        commit: () => deleteFlow(id),
      }),
  }
}
