import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { InvalidFlowFileError, readFlowFile } from '@/lib/agents/import-file'
import {
  deleteFlow,
  deprecateFlow,
  duplicateFlow,
  exportFlow,
  type FlowSummary,
  importFlow,
  restoreFlowStatus,
} from '@/lib/api/flows'
import { saveBlob } from '@/lib/files/download'
import { fileStem } from '@/lib/files/file-names'
import { toast, toastError, toastSuccess } from '@/lib/toasts'
import { withUndo } from '@/lib/with-undo'

export type AgentActions = Record<
  'duplicate' | 'exportFile' | 'deprecate' | 'restore' | 'remove',
  (agent: FlowSummary) => void
>

/** The actions of an agent's menu; each shows its result as a toast. */
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

/** Imports each file as an agent, and shows an error for files that are not agents. */
export function useImport() {
  const { t } = useTranslation('agents')
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (file: File) => importFlow(await readFlowFile(file)),
    onSuccess: ({ id, name }) =>
      toast({
        title: t('imported', { name }),
        tone: 'success',
        action: {
          label: t('openShort'),
          onPress: () => void navigate({ to: '/flow/$flowId', params: { flowId: id } }),
        },
      }),
    onError: (error) => {
      if (!(error instanceof InvalidFlowFileError)) return toastError(t('importFailed'), error)
      const description = t(error.reason === 'too_big' ? 'importTooLarge' : 'importNotJson', {
        name: error.file,
      })
      return toast({ title: t('importFailed'), description, tone: 'error' })
    },
  })
}
