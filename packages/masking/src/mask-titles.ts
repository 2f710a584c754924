import type { ListedNote, ListReply } from '@mnemark/spec'
import { maskText } from './mask-text.ts'

/** Hides the secrets in the headings and titles of a list of notes. */
export async function maskTitles(reply: ListReply): Promise<ListReply> {
  const masked = async (note: ListedNote): Promise<ListedNote> =>
    note.title === undefined ? note : { ...note, title: await maskText(note.title) }
  return { ...reply, notes: await Promise.all(reply.notes.map(masked)) }
}
