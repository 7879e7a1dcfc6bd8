"""What may be wrong with a URL, a reference or a snapshot, in words."""

from workbench.lib.texts import Text

URL_EMPTY = Text("URL must be a non-empty string", "网址必须是非空字符串")
URL_TOO_LONG = Text("URL is longer than {limit} characters", "网址超过 {limit} 个字符")
URL_WHITE_SPACE = Text(
    "URL must not contain whitespace or control characters", "网址不能含空白或控制字符"
)
URL_SURROGATE = Text("URL contains half of a surrogate pair", "网址含有不成对的代理字符")
URL_INVALID = Text("Invalid URL: {reason}", "网址无效：{reason}")
URL_SCHEME = Text("URL scheme must be http or https", "网址必须以 http 或 https 开头")
URL_CREDENTIALS = Text("URL credentials are not allowed", "网址不能含用户名或密码")
URL_HOST = Text("URL must include a host", "网址缺少主机名")
URL_IDNA = Text("URL host is not valid IDNA", "网址的主机名不符合 IDNA 规则")
URL_UNSTABLE = Text("URL host has no stable normal form", "网址的主机名没有稳定的规范形式")

TEXT_NUL = Text("the text contains a NUL character", "文本含有 NUL 字符")
TEXT_SURROGATE = Text("the text contains half of a surrogate pair", "文本含有不成对的代理字符")
TEXT_TOO_LARGE = Text("the text is larger than {limit} bytes", "文本超过 {limit} 字节")

REF_FORM = Text(
    "snapshot_ref must be source_cache/<url_hash>/<content_hash>.md with two hashes of 64 "
    "lower-case hexadecimal digits",
    "snapshot_ref 应为 source_cache/<url_hash>/<content_hash>.md，两个哈希各为 64 位小写十六进制",
)
HASH_FORM = Text("a hash has 64 lower-case hexadecimal digits", "哈希应为 64 位小写十六进制")

BODY_CHANGED = Text(
    "the text of {ref} was changed: its hash is {found}", "{ref} 的文本被改动过：现哈希为 {found}"
)
BODY_LINE_ENDINGS = Text(
    "the hash of {ref} is {found}, but it matches after CRLF → LF",
    "{ref} 的哈希为 {found}，把 CRLF 换成 LF 后即相符",
)
BODY_ENCODING = Text("{ref} is not UTF-8 (byte {byte})", "{ref} 不是 UTF-8（第 {byte} 字节）")
BODY_NUL = Text("{ref} contains a NUL character", "{ref} 含有 NUL 字符")

METADATA_JSON = Text("the metadata of {ref} are not JSON in UTF-8", "{ref} 的元数据不是 UTF-8 JSON")
METADATA_OBJECT = Text("the metadata of {ref} are not an object", "{ref} 的元数据不是对象")
METADATA_FIELD = Text(
    "the metadata of {ref} do not say {name} = {expected}",
    "{ref} 的元数据中 {name} 不是 {expected}",
)
METADATA_URL = Text(
    "normalized_url in the metadata of {ref} is not a URL in normal form",
    "{ref} 元数据中的 normalized_url 不是规范形式的网址",
)
METADATA_HASH = Text(
    "normalized_url in the metadata of {ref} does not hash to its folder",
    "{ref} 元数据中的 normalized_url 与所在目录的哈希不符",
)
OTHER_PAGE = Text(
    "the snapshot is of {captured}, not of {cited}", "快照取自 {captured}，而不是 {cited}"
)

MISSING = Text("{path} does not exist", "{path} 不存在")
LINK = Text("{path} is a symbolic link and was not followed", "{path} 是符号链接，未予读取")
NO_FOLDER = Text("{path} is not a folder", "{path} 不是目录")
NO_FILE = Text("{path} is not a file", "{path} 不是文件")
UNREADABLE = Text("{path} cannot be read: {reason}", "{path} 无法读取：{reason}")
FILE_TOO_LARGE = Text("{path} is larger than {limit} bytes", "{path} 超过 {limit} 字节")
NOT_STORED = Text("{ref} was not stored: {reason}", "{ref} 未能保存：{reason}")
OTHER_BYTES = Text(
    "{path} holds other bytes; nothing was overwritten", "{path} 已有不同内容，未作覆盖"
)
