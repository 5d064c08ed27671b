import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CopyPlus, Sparkle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { useSession } from '@/document/use-session'
import { duplicateFlow } from '@/lib/api/flows'
import { useExclusiveMutate } from '@/lib/attempt'
import { toastError } from '@/lib/toasts'

/** Actions on the agent of another user: duplicate it. */
export function VisitorActions({ brief }: { brief: boolean }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const navigate = useNavigate()
  const duplicate = useMutation({
    mutationFn: () => duplicateFlow(session.flowId),
    onSuccess: ({ id }) => navigate({ to: '/flow/$flowId', params: { flowId: id } }),
    onError: (error) => toastError(t('toolbar.duplicateFailed'), error),
  })
  const send = useExclusiveMutate(duplicate)
  const press = () => void send()
  if (brief) {
    return (
      <IconButton
        label={t('toolbar.duplicate')}
        icon={<CopyPlus />}
        busy={duplicate.isPending}
        onClick={press}
      />
    )
  }
  return (
    <Button size="sm" className="h-[34px]" busy={duplicate.isPending} onClick={press}>
      <CopyPlus />
      {t('toolbar.duplicate')}
    </Button>
  )
}

/** Opens the launch form. */
export function LaunchButton() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = () => {
    session.view.select([])
    session.view.setState({ isInspectorOpen: true })
  }
  return (
    <Button variant="primary" size="sm" className="h-[34px] px-3.5 lg:hidden" onClick={open}>
      <Sparkle />
      {t('toolbar.launch')}
    </Button>
  )
}
