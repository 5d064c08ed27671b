/** What a generated call brought back, without the request and response around it. */
export async function unwrap<Data>(call: Promise<{ data: Data }>): Promise<Data> {
  return (await call).data
}
