import type { PasskeyOptions } from './api.gen/types.gen'

/** A passkey's answer to a challenge of the server. */
export type PasskeyAnswer = { challenge_id: string; credential: Record<string, unknown> }

/** Whether this browser has passkeys, with the JSON methods of WebAuthn. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  )
}

/** Lets the user create a passkey; null if the user cancels. */
export async function createPasskey({
  challenge_id,
  options,
}: PasskeyOptions): Promise<PasskeyAnswer | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return answer(challenge_id, () => navigator.credentials.create({ publicKey }))
}

/** Lets the user choose a passkey and sign the challenge with it; null if the user cancels. */
export async function assertPasskey({
  challenge_id,
  options,
}: PasskeyOptions): Promise<PasskeyAnswer | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return answer(challenge_id, () => navigator.credentials.get({ publicKey }))
}

async function answer(
  challengeId: string,
  ask: () => Promise<Credential | null>,
): Promise<PasskeyAnswer | null> {
  try {
    const credential = (await ask()) as PublicKeyCredential | null
    return credential && { challenge_id: challengeId, credential: { ...credential.toJSON() } }
  } catch (error) {
    // The user closed the browser's dialog, or it timed out.
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null
    throw error
  }
}
