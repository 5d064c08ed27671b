import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { InvalidFlowFileError, readFlowFile } from '@/lib/agents/import-file'
import { importFlow } from '@/lib/api/flows'
import { toast, toastError } from '@/lib/toasts'

/** Makes an agent of each file, and says in words which one is none. */
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
      const description = t(error.reason === 'too_big' ? 'importTooBig' : 'importNotJson', {
        name: error.file,
      })
      return toast({ title: t('importFailed'), description, tone: 'error' })
    },
  })
}
