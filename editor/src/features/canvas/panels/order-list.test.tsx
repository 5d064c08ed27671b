// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { TooltipProvider } from '@/components/tooltip'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { OrderList } from './order-list'

function Example() {
  const [titles, setTitles] = useState(['Shape', 'Pictures', 'Model'])
  return (
    <TooltipProvider>
      <OrderList
        label="Settings"
        items={titles.map((title) => ({ key: title, title, of: 'Hero', name: '' }))}
        onMove={() => undefined}
        onRename={() => undefined}
        onRemove={({ title }) => setTitles((now) => now.filter((one) => one !== title))}
      />
    </TooltipProvider>
  )
}

test('after a removal the focus is at the row that takes its place, or at the last one', async () => {
  render(<Example />)
  const keys = userEvent.setup()
  const remove = (title: string) => screen.getByRole('button', { name: `Remove ${title}` })
  remove('Pictures').focus()
  await keys.keyboard('{Enter}')
  expect(remove('Model')).toHaveFocus()
  await keys.keyboard('{Enter}')
  expect(remove('Shape')).toHaveFocus()
})
