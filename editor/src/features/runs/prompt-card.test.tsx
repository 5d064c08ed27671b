// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { expect, it } from 'vitest'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/runs'
import '@/lib/i18n/signed-in'
import { PromptCard } from './prompt-card'

const show = (prompt: string) =>
  render(
    <I18nextProvider i18n={i18n}>
      <PromptCard prompt={prompt} images={[]} onEdit={null} />
    </I18nextProvider>,
  )

it('sets the text direction from the prompt', () => {
  show('مرحبا بالعالم')
  expect(screen.getByText('مرحبا بالعالم')).toHaveAttribute('dir', 'auto')
  expect(screen.queryByRole('region')).toBeNull()
})

it.each(['word '.repeat(5000), 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj'])(
  'makes a long prompt scrollable',
  (prompt) => {
    show(prompt)
    expect(screen.getByRole('region', { name: 'Prompt' })).toHaveAttribute('tabindex', '0')
  },
)

it('shows a placeholder without a prompt', () => {
  show('')
  expect(screen.getByText('Launched without a prompt')).toBeInTheDocument()
})
