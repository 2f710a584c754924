import { foldWord } from '@mnemark/core/text'
import type { ChildKey, FactChild } from '../fact.ts'
import { normalSigns } from './normal-signs.ts'

/** Every spelling of a key of a line below a fact; any other line there is plain text. */
const SPELLINGS: Readonly<Record<ChildKey, readonly string[]>> = {
  evidence: [
    'evidence',
    'belege',
    'beleg',
    'evidencia',
    'preuve',
    'preuves',
    'الدليل',
    'دليل',
    'الأدلة',
    '证据',
    '證據',
    '根拠',
    '근거',
  ],
  source: ['source', 'sources', 'quelle', 'quellen', 'fuente', 'fonte', 'المصدر', 'مصدر', '来源', '來源', '出典'],
  confidence: ['confidence', 'konfidenz', 'confianza', 'confiance', 'الثقة', '置信度', '信心', '確信度'],
  updated: ['updated', 'last updated', 'aktualisiert', 'actualizado', 'mis à jour', 'آخر تحديث', '更新', '更新于'],
  'last reinforced': ['last reinforced', 'last confirmed', 'zuletzt bestätigt', 'آخر تأكيد', '上次确认', '最後確認'],
  valid: ['valid', 'valid from', 'gültig', 'válido', 'صالح', '有效', '有效期'],
  status: ['status', 'estado', 'statut', 'الحالة', '状态', '狀態'],
  absorbed: ['absorbed'],
  reason: ['reason', 'grund', 'razón', 'raison', 'السبب', '原因', '理由'],
  rule: ['rule', 'regel', 'regla', 'قاعدة', '规则', '規則'],
  principle: ['principle', 'prinzip', 'principio', 'مبدأ', '原则', '原則'],
  awaiting: ['awaiting', 'wartet auf', 'esperando', 'بانتظار', '等待'],
}
const KEYS = new Map(
  Object.entries(SPELLINGS).flatMap(
    ([key, spellings]) => spellings.map((spelling) => [foldWord(spelling), key as ChildKey] as const), // the keys of the record
  ),
)
const LINE =
  /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\*{1,2}|_{1,2}|`)?([\p{L}\p{M}][\p{L}\p{M} ]{0,30}?)(?:\*{1,2}|_{1,2}|`)?[ \t]{0,3}:(?:\*{1,2}|_{1,2})?(.*)$/u
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/

/** Reads an indented `- Evidence: …`; undefined for any other line. */
export function readChild(line: string): FactChild | undefined {
  const text = normalSigns(line)
  const match = LINE.exec(text)
  const key = match === null ? undefined : KEYS.get(foldWord(match[1] ?? ''))
  return key === undefined ? undefined : { key, value: line.slice(line.length - (match?.[2] ?? '').length).trim() }
}

/** A bullet below such a line: one more value of its key. */
export function readChildValue(line: string): string | undefined {
  const bullet = BULLET.exec(normalSigns(line))
  return bullet === null ? undefined : line.slice(bullet[0].length).trim()
}
