// @vitest-environment jsdom
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { restoreFocus } from './focus-restore'

let end = () => {}

beforeEach(() => {
  document.body.innerHTML = `
    <main><ul>
      <li><button id="first">First</button></li>
      <li><button id="second">Second</button></li>
      <li><button id="third">Third</button></li>
    </ul><button id="create">Create</button></main>
    <div id="layers"><div><button id="menu">Delete</button></div></div>`
  // jsdom has no layout: the tests set the positions.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const y = ['first', 'second', 'third', 'create'].indexOf(this.id) * 40
    return { x: 0, y, width: 100, height: 40 } as DOMRect
  })
  get('second').focus()
  end = restoreFocus()
})

afterEach(() => {
  end()
  vi.restoreAllMocks()
  document.body.innerHTML = ''
  window.history.replaceState({}, '', '/')
})

const get = (id: string) => document.getElementById(id) as HTMLElement
const press = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete' }))
const rest = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))

test('when the focused element is removed, the nearest one gets the focus', async () => {
  press()
  get('second').parentElement?.remove()
  await waitFor(() => expect(get('first')).toHaveFocus())
})

test('when the whole list is removed, the rest of the page is searched', async () => {
  press()
  document.querySelector('ul')?.remove()
  await waitFor(() => expect(get('create')).toHaveFocus())
})

test('when a menu is removed with the row that opened it, the neighbouring row gets the focus', async () => {
  get('menu').focus()
  press()
  get('menu').parentElement?.remove()
  get('second').parentElement?.remove()
  await waitFor(() => expect(get('first')).toHaveFocus())
})

test('a removed overlay returns the focus to its trigger, if that still exists', async () => {
  get('menu').focus()
  press()
  get('menu').parentElement?.remove()
  await waitFor(() => expect(get('second')).toHaveFocus())
})

test('an element focused by other code keeps the focus', async () => {
  press()
  get('second').parentElement?.remove()
  get('create').focus()
  await rest()
  expect(get('create')).toHaveFocus()
})

test('nothing happens without keyboard use', async () => {
  window.dispatchEvent(new Event('pointerdown'))
  get('second').parentElement?.remove()
  await rest()
  expect(document.body).toHaveFocus()
})

test('a new page starts at its top', async () => {
  press()
  window.history.replaceState({}, '', '/elsewhere')
  get('second').parentElement?.remove()
  await rest()
  expect(document.body).toHaveFocus()
})
