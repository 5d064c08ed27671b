const AT_ONCE = 6

/** Works through a list, a few at a time, and gives the answers in the list's order. The first failure is thrown. */
export async function several<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
  atOnce = AT_ONCE,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  async function hand(): Promise<void> {
    while (next < items.length) {
      const place = next
      next += 1
      answers[place] = await work(items[place] as Item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, hand))
  return answers
}
