"""Why an archive is refused, with a code and a message for each reason."""

from enum import Enum

from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text


class Refusal(Enum):
    """A reason to refuse a tree; the value is its message."""

    ABSOLUTE_NAME = Text(
        en="“{member}” is an absolute name. Pack the folder again.",
        zh="“{member}”是绝对路径。请重新打包。",
    )
    ESCAPING_NAME = Text(
        en="“{member}” points outside the archive. Pack the folder again.",
        zh="“{member}”指向压缩包之外。请重新打包。",
    )
    BACKSLASH = Text(
        en="“{member}” holds a backslash; names use “/”. Pack the folder again.",
        zh="“{member}”含有反斜杠，路径应使用“/”。请重新打包。",
    )
    BAD_NAME = Text(
        en="“{member}” is empty or holds control characters. Rename it and pack again.",
        zh="“{member}”为空或含有控制字符。请改名后重新打包。",
    )
    NAME_ENCODING = Text(
        en="The name “{member}” is not UTF-8. Rename it and pack again.",
        zh="文件名“{member}”不是 UTF-8。请改名后重新打包。",
    )
    NAME_TOO_LONG = Text(
        en="The name “{member}” is longer than {limit} bytes.",
        zh="文件名“{member}”超过 {limit} 字节。",
    )
    TOO_DEEP = Text(
        en="“{member}” lies more than {limit} folders deep.",
        zh="“{member}”的文件夹层级超过 {limit} 层。",
    )
    DUPLICATE = Text(
        en="“{member}” and “{other}” would be one file on some systems. Rename one of them.",
        zh="“{member}”与“{other}”在某些系统上会是同一个文件。请给其中一个改名。",
    )
    LINK = Text(
        en="“{member}” is a link. Put the file itself there.",
        zh="“{member}”是链接。请放入文件本身。",
    )
    SPECIAL_FILE = Text(
        en="“{member}” is not a regular file.",
        zh="“{member}”不是普通文件。",
    )
    ENCRYPTED = Text(
        en="“{member}” is encrypted. Pack it without a password.",
        zh="“{member}”已加密。请不设密码重新打包。",
    )
    METHOD = Text(
        en="“{member}” is packed with method {method}; only stored and deflated are read.",
        zh="“{member}”的压缩方法是 {method}，只支持存储与 Deflate。",
    )
    OVERLAP = Text(
        en="“{member}” shares its bytes with another entry. The archive is not sound.",
        zh="“{member}”与其他条目共用字节，压缩包有问题。",
    )
    PREFIX_BYTES = Text(
        en="The archive does not start at the first byte of the file. Pack it again.",
        zh="压缩包不是从文件的第一个字节开始。请重新打包。",
    )
    HIDDEN_BYTES = Text(
        en="The archive holds bytes that belong to no entry, near “{member}”. Pack it again.",
        zh="压缩包在“{member}”附近有不属于任何条目的字节。请重新打包。",
    )
    DISAGREEMENT = Text(
        en="The archive describes “{member}” in two ways that differ. Pack it again.",
        zh="压缩包对“{member}”的两处描述不一致。请重新打包。",
    )
    TOO_MANY_ENTRIES = Text(
        en="There are more than {limit} entries. Split the delivery.",
        zh="条目超过 {limit} 个。请拆分后再导入。",
    )
    ENTRY_TOO_LARGE = Text(
        en="“{member}” is larger than {limit} bytes.",
        zh="“{member}”超过 {limit} 字节。",
    )
    TOTAL_TOO_LARGE = Text(
        en="The files are larger than {limit} bytes together. Split the delivery.",
        zh="全部文件合计超过 {limit} 字节。请拆分后再导入。",
    )
    RATIO = Text(
        en="“{member}” inflates more than {limit} times, as a bomb does.",
        zh="“{member}”解压后膨胀超过 {limit} 倍，疑似压缩炸弹。",
    )
    SIZE_LIES = Text(
        en="“{member}” is not as long as the archive says. The archive is damaged.",
        zh="“{member}”的长度与压缩包所述不符，压缩包已损坏。",
    )
    DAMAGED = Text(
        en="The archive is damaged or cut off{near}. Get it again.",
        zh="压缩包已损坏或被截断{near}。请重新获取。",
    )
    UNSUPPORTED = Text(
        en="This is {kind}. Give a folder, a zip or a tar.gz.",
        zh="这是 {kind} 文件。请提供文件夹、zip 或 tar.gz。",
    )
    EMPTY = Text(
        en="There is no file in it.",
        zh="里面没有任何文件。",
    )
    ABSENT = Text(
        en="“{member}” is not there.",
        zh="“{member}”不存在。",
    )
    CHANGED = Text(
        en="“{member}” changed while it was read. Try again.",
        zh="“{member}”在读取时被改动。请重试。",
    )
    UNREADABLE = Text(
        en="“{member}” could not be read: {why}.",
        zh="无法读取“{member}”：{why}。",
    )

    @property
    def code(self) -> str:
        """Give the stored name of the reason."""
        return self.name.lower()


class ArchiveError(InputError):
    """A tree that was refused: code, member (raw name, may be empty) and text."""

    def __init__(self, refusal: Refusal, member: str = "", **values: object) -> None:
        self.refusal = refusal
        self.member = member
        values = {"member": shown(member), **values}
        super().__init__(refusal.code, refusal.value, values)


def damaged(member: str = "") -> ArchiveError:
    """Give the error of an archive that cannot be read, near a member where one is known."""
    return ArchiveError(Refusal.DAMAGED, member, near=f" ({shown(member)})" if member else "")
