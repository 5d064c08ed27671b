import { useTranslation } from 'react-i18next'
import { useChecks, useStepStatus } from '@/document/use-session'

/** A card in words: its title, how its step stands, what is wrong with it, whether it is chosen. */
export function useCardLabel(id: string, title: string, selected: boolean): string {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const status = useStepStatus(id)
  const messages = useChecks(
    (checks) =>
      checks.byNode
        .get(id)
        ?.map(({ message }) => message)
        .join(' ') ?? '',
  )
  const count = useChecks((checks) => checks.byNode.get(id)?.length ?? 0)
  const parts = [
    title,
    status !== 'pending' && t(`node.${status}`),
    count > 0 && words('card.problems', { count, messages }),
    selected && words('card.selected'),
  ]
  return parts.filter(Boolean).join(', ')
}
