import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { announceImport, exportAgent, importAgent, namesOf, toastImportFailed } from '@/lib/agents/agent-file'
import {
  deleteFlow,
  deprecateFlow,
  duplicateFlow,
  type FlowSummary,
  restoreFlowStatus,
} from '@/lib/api/flows'
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
      void exportAgent(id, name).catch((error) => toastError(t('exportFailed'), error)),
    remove: ({ id, name }) =>
      withUndo({
        ids: [id],
        title: t('deleted', { name }),
        failed: t('failed'),
        commit: () => deleteFlow(id),
      }),
  }
}

/** Imports each file as an agent, names what it lacks, and shows an error for files that are not agents. */
export function useImport() {
  const { t } = useTranslation('agents')
  const navigate = useNavigate()
  const importing = useMutation({
    mutationFn: (file: File) => {
      announceImport(file)
      return importAgent(file)
    },
    onSuccess: ({ flow: { id, name }, missing }) =>
      toast({
        title:
          missing.length > 0
            ? t('importedWithout', { name, count: missing.length })
            : t('imported', { name }),
        description: missing.length > 0 ? namesOf(missing) : undefined,
        ...(missing.length > 0 ? { duration: 15_000 } : { tone: 'success' as const }),
        action: {
          label: t('openShort'),
          onPress: () => void navigate({ to: '/flow/$flowId', params: { flowId: id } }),
        },
      }),
    onError: (error, file) => toastImportFailed(error, () => importing.mutate(file)),
  })
  return importing
}
