import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  announceImport,
  exportAgent,
  importAgent,
  namesOf,
  READING_MS,
  toastImportFailed,
  toastSeveralImported,
} from '@/lib/agents/agent-file'
import type { FlowImported } from '@/lib/api/agent-files'
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

type Failure = { file: File; error: unknown }

/**
 * Imports files as agents, one after the other, and names what they lack. With several files, one message at the end says
 * how many were imported and why others were not, because each message takes the place of the one before.
 */
export function useImport() {
  const { t } = useTranslation('agents')
  const navigate = useNavigate()
  const [waiting, setWaiting] = useState(0)

  const showImported = ({ flow: { id, name }, missing }: FlowImported) =>
    toast({
      title:
        missing.length > 0 ? t('importedWithout', { name, count: missing.length }) : t('imported', { name }),
      description: missing.length > 0 ? namesOf(missing) : undefined,
      ...(missing.length > 0 ? { duration: READING_MS } : { tone: 'success' as const }),
      action: {
        label: t('openShort'),
        onPress: () => void navigate({ to: '/flow/$flowId', params: { flowId: id } }),
      },
    })

  async function importFiles(files: readonly File[]) {
    const imported: FlowImported[] = []
    const failures: Failure[] = []
    setWaiting((count) => count + files.length)
    for (const file of files) {
      announceImport(file)
      try {
        imported.push(await importAgent(file))
      } catch (error) {
        failures.push({ file, error })
      }
      setWaiting((count) => count - 1)
    }
    const [first] = imported
    const [failed] = failures
    if (files.length > 1) toastSeveralImported(imported, failures, (again) => void importFiles(again))
    else if (first) showImported(first)
    else if (failed) toastImportFailed(failed.error, failed.file, () => void importFiles([failed.file]))
  }
  return { isBusy: waiting > 0, importFiles }
}
