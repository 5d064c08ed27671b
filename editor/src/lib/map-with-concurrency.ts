const DEFAULT_CONCURRENCY = 6

/** Maps a list with limited concurrency; results are in the order of the list. Throws the first failure. */
export async function mapWithConcurrency<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
  atOnce = DEFAULT_CONCURRENCY,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  async function worker(): Promise<void> {
    while (next < items.length) {
      const place = next
      next += 1
      answers[place] = await work(items[place] as Item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return answers
}
