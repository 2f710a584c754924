import { hash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configError, isPrivateHost } from '@mnemark/provider-kit'

export type ModelReference = { readonly kind: 'file'; readonly name: string; readonly path: string } | RemoteModel

export interface RemoteModel {
  readonly kind: 'remote'
  readonly name: string
  /** For the library. */
  readonly reference: string
  /** The first place it will ask. */
  readonly url: string
  /** The name to store the file under, if the library could choose one only after the host answers. */
  readonly fileName?: string
}

const HUGGING_FACE = /^(?:hf|huggingface):(?:\/\/)?|^(?:hf|huggingface)\.co\//
const REPOSITORY = /^[\w.-]+\/[\w.-]+(?:[:/#].+)?$/

/** Reads a reference without looking at it; `name` is what the vector space calls it. Throws a `config` error. */
export function parseModel(provider: string, model: string, huggingFaceEndpoint: string): ModelReference {
  if (HUGGING_FACE.test(model)) {
    const rest = model.replace(HUGGING_FACE, '')
    if (REPOSITORY.test(rest))
      return { kind: 'remote', name: `hf:${rest}`, reference: `hf:${rest}`, url: `${huggingFaceEndpoint}/` }
    throw configError(provider, 'the model is no reference to Hugging Face', 'Write hf:user/repository/file.gguf, say.')
  }
  if (/^https?:/i.test(model)) return parseUrl(provider, model)
  const path = resolve(model.startsWith('file:') ? fileOf(provider, model) : model.replace(/^~(?=$|[\\/])/, homedir()))
  return { kind: 'file', name: basename(path), path }
}

/** The name leaves out the query, which may hold a signature. */
function parseUrl(provider: string, model: string): ModelReference {
  const url = URL.canParse(model) ? new URL(model) : undefined
  if (url === undefined || url.username !== '' || url.password !== '')
    throw configError(
      provider,
      'the model is no URL that can be fetched',
      'Write one without credentials, such as https://host/model.gguf.',
    )
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname))
    throw configError(provider, `plain http to ${url.hostname}, which is not on this machine or network`, 'Use https.')
  const name = url.origin + url.pathname
  // Models of many makers are called model.gguf.
  const fileName = `${hash('sha256', name).slice(0, 8)}-${basename(decodeURIComponent(url.pathname))}`
  return { kind: 'remote', name, reference: url.href, url: url.href, fileName }
}

function fileOf(provider: string, model: string): string {
  try {
    return fileURLToPath(model)
  } catch {
    throw configError(
      provider,
      'the model is no file URL of this machine',
      `Write its path, such as ${join('models', 'model.gguf')}.`,
    )
  }
}
